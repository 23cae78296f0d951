import { expect } from 'vitest';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import type { Rig } from './rig.ts';
import { settle } from './tasks-rig.ts';

/** Lets the database grow no more, and fills what room its last pages have. */
export function fillDisk({ store, clock }: Rig): void {
  store.limitPages(1);
  const append = () =>
    store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: 'agent.start_requested' }));
  expect(() => {
    for (let row = 0; row < 10_000; row += 1) append();
  }).toThrow(StorageUnavailable);
  expect(append).toThrow(StorageUnavailable);
}

/** There is room again, and what is tried again every now and then is tried. */
export async function makeRoom({ store, clock }: Rig): Promise<void> {
  store.limitPages(1_000_000);
  clock.advance(2_000);
  await settle();
}
