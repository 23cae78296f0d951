import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookInto } from '../../../agent/files/look-into.ts';
import { resolvePath } from '../../../agent/files/resolve-paths.ts';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';
import { startSwapping } from './swapping.ts';

const ROUNDS = 400;
/** A write waits for the disk. */
const WRITES = 100;

// On a busy machine the rounds take their time.
vi.setConfig({ testTimeout: 180_000 });

const rig = rigOfTest(createFilesRig);
let swapping: Awaited<ReturnType<typeof startSwapping>>;

/** `work/play` is a folder and `work/link` leads to `private`. A program exchanges the two. */
beforeEach(async () => {
  for (const folder of ['work/play', 'private']) rig.makeFolder(folder);
  rig.write('work/play/note', 'harmless');
  rig.write('private/note', 'PRIVATE');
  rig.write('private/other', 'PRIVATE');
  symlinkSync(rig.at('private'), rig.at('work/link'));
  swapping = await startSwapping(rig.at('work/play'), rig.at('work/link'));
});

afterEach(() => {
  swapping.stop();
});

/** Resolves a path again and again. Answers those that were said to lie in the folder that the script may use. */
async function* judgedHarmless(path: string, rounds = ROUNDS): AsyncGenerator<ResolvedPath> {
  for (let round = 0; round < rounds; round += 1) {
    const found = await resolvePath(rig.at(path), { path: rig.home });
    if (!('ok' in found) && found.realPath.startsWith(`${rig.at('work')}/`)) yield found;
  }
}

/** The program has exchanged the two at least once in a round. */
async function endedAfterManyRounds(): Promise<void> {
  expect(await swapping.end()).toBeGreaterThan(ROUNDS);
}

test('F10: no byte from outside is read through a folder that is swapped with a link all the time', async () => {
  const read = new Map<string, number>();
  for await (const file of judgedHarmless('work/play/note')) {
    const { path } = file;
    const outcome = await rig.perform('ReadFile', { path }, [file]);
    const text = outcome.ok ? JSON.stringify(outcome.data) : outcome.code;
    const kind = text.includes('PRIVATE') ? 'private' : text.includes('harmless') ? 'harmless' : text;
    read.set(kind, (read.get(kind) ?? 0) + 1);
  }
  await endedAfterManyRounds();
  expect(read.get('private')).toBeUndefined();
  expect(read.get('harmless')).toBeGreaterThan(0);
  expect([...read.keys()].filter((kind) => !['harmless', 'target_changed', 'target_gone'].includes(kind))).toEqual([]);
});

test('F10: no byte from outside is shown for judging', async () => {
  let shown = 0;
  for await (const file of judgedHarmless('work/play/note')) {
    const { inside } = await lookInto(file);
    expect(JSON.stringify(inside ?? '')).not.toContain('PRIVATE');
    if (inside !== undefined) shown += 1;
  }
  await endedAfterManyRounds();
  expect(shown).toBeGreaterThan(0);
});

test('F10: no name from outside is listed or shown', async () => {
  let listed = 0;
  for await (const folder of judgedHarmless('work/play')) {
    if (folder.kind !== 'folder') continue;
    expect(JSON.stringify(await lookInto(folder))).not.toContain('other');
    const { path } = folder;
    const outcome = await rig.perform('ListFiles', { path, depth: 2 }, [folder]);
    if (!outcome.ok) continue;
    expect(JSON.stringify(outcome.data)).not.toContain('other');
    listed += 1;
  }
  await endedAfterManyRounds();
  expect(listed).toBeGreaterThan(0);
});

test('F11: nothing outside is written, moved or trashed', async () => {
  let done = 0;
  for await (const file of judgedHarmless('work/play/note', WRITES)) {
    const { path } = file;
    const outcome = await rig.perform('WriteFile', { path, content: 'harmless', overwrite: true }, [file], {
      keepAt: join(rig.root, 'kept', String(done)),
    });
    if (outcome.ok) done += 1;
  }
  for await (const file of judgedHarmless('work/play/new', WRITES)) {
    await rig.perform('WriteFile', { path: file.path, content: 'new' }, [file]);
    await rig.perform('MoveFile', { from: rig.at('work/play/new'), to: rig.at('work/play/newer') }, [
      file,
      { ...file, path: rig.at('work/play/newer'), realPath: rig.at('work/play/newer') },
    ]);
    const [made] = await rig.judged(rig.at('work/play/new'));
    if (made?.realPath === rig.at('work/play/new')) await rig.perform('TrashFile', { path: made.path }, [made]);
  }
  await endedAfterManyRounds();
  expect(rig.names('private')).toEqual(['note', 'other']);
  expect(rig.read('private/note')).toBe('PRIVATE');
  expect(done).toBeGreaterThan(0);
});
