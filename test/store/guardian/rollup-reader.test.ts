import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import { createRollupReader } from '../../../src/store/guardian/rollup-reader.ts';
import type { Store } from '../../../src/store/store.ts';
import { fromOtherBuild } from '../other-build.ts';
import { test as it } from '../rig.ts';

const MINUTE_MS = 60_000;
const PIECES = [{ span: 'minute' as const, fromMs: 0, toMs: 10 * MINUTE_MS }];

it('sees what is written after it has read, in minutes that were there and in minutes that were not', ({ store }) => {
  const requested = () => store.recording.recorded({ fromMs: 0, toMs: 10 * MINUTE_MS }, 0).rollup.counters.requested;
  request(store, 1);
  expect(requested()).toBe(1);
  request(store, 2);
  request(store, 5 * MINUTE_MS);
  expect(requested()).toBe(3);
});

it('sees nothing of what was taken back', ({ store }) => {
  const requested = () => store.recording.recorded({ fromMs: 0, toMs: 10 * MINUTE_MS }, 0).rollup.counters.requested;
  request(store, 1);
  expect(requested()).toBe(1);
  expect(() =>
    store.write('relaxed', () => {
      append(store, 2);
      throw new Error('not after all');
    }),
  ).toThrow('not after all');
  expect(requested()).toBe(1);
});

it('sees what another connection commits', ({ store }) => {
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  onTestFinished(() => void database.close());
  const reader = createRollupReader(database);
  request(store, 1);
  expect(reader.sum(PIECES).counters.requested).toBe(1);
  request(store, 2);
  request(store, 3 * MINUTE_MS);
  expect(reader.sum(PIECES).counters.requested).toBe(3);
});

function request(store: Store, atMs: number): void {
  store.write('relaxed', () => append(store, atMs));
}

function append({ journal }: Store, atMs: number): void {
  const metadata = { type: 'Wait', risk: 'low', verdict: 'allow', digest: 'd' };
  const requested = { kind: 'action.requested', userId: 'ann', actionId: `act_${atMs}`, metadata };
  journal.append(atMs, fromOtherBuild(requested));
}
