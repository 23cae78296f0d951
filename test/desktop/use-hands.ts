import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Sighting, SightReference } from '../../agent/drivers/input.ts';
import { type InputRig, startInput, unhurried } from './linux-input-rig.ts';
import { type Rig, startRig } from './rig.ts';

type Hands = {
  rig: Rig;
  hands: InputRig;
  /** A folder of the tests, which goes away with the desktop. */
  folder: string;
  sight(reference: SightReference): Promise<Sighting>;
};

/** A desktop with hands on it, for all tests of a file. `prepare` is called once they are there. */
export function useHands({ prepare, ...size }: { prepare?(): Promise<unknown>; width?: number; height?: number } = {}) {
  const on = {
    async sight(reference) {
      const found = await on.hands.input.sight(reference, unhurried());
      if (!found.ok) throw new Error(found.message);
      return found.data;
    },
  } as Hands;

  beforeAll(async () => {
    on.folder = mkdtempSync(join(tmpdir(), 'handrail-hands-'));
    on.rig = await startRig(size);
    on.hands = startInput(on.rig, { watchesPerson: false });
    await prepare?.();
  }, 180_000);

  afterAll(async () => {
    await on.hands?.close();
    await on.rig?.close();
    rmSync(on.folder, { recursive: true, force: true, maxRetries: 10 });
  });

  return on;
}

/** Opens a page in a Chromium that tells of its contents, with a profile of its own. */
export function openPage({ rig, folder }: Pick<Hands, 'rig' | 'folder'>, address: string): ReturnType<Rig['open']> {
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  return rig.open('chromium', [...flags, `--user-data-dir=${folder}/profile`, address]);
}
