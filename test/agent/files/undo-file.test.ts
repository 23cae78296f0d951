import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { UndoFacts } from '../../../src/contract/files.ts';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { ledgerOf } from './ledger.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

beforeEach(() => {
  vi.stubEnv('HOME', rig.home);
  vi.stubEnv('XDG_DATA_HOME', undefined);
  rig.write('work/notes.txt', 'notes\n');
  chmodSync(rig.at('work/notes.txt'), 0o640);
});

const notes = () => rig.read('work/notes.txt');
const keptAt = () => join(rig.root, 'kept/former');

/** Overwrites `notes.txt`, and answers how that can be undone. */
async function overwritten(content = 'other'): Promise<UndoFacts> {
  return undoOf(await rig.act('WriteFile', { path: '~/work/notes.txt', content, overwrite: true }));
}

function undoOf(outcome: Awaited<ReturnType<typeof rig.act>>): UndoFacts {
  if (!outcome.ok || outcome.undo === undefined) throw new Error(`nothing to undo: ${JSON.stringify(outcome)}`);
  return outcome.undo;
}

const undo = (facts: UndoFacts) => rig.perform('UndoFile', { undo: facts, formerAt: keptAt() }, []);

test('an overwritten file comes back with its contents and permissions, and nothing else is left', async () => {
  const facts = await overwritten();
  expect(notes()).toBe('other');
  expect(await undo(facts)).toMatchObject({
    ok: true,
    effect: 'confirmed',
    data: { path: rig.at('work/notes.txt'), identity: { inode: String(statSync(rig.at('work/notes.txt')).ino) } },
  });
  expect([notes(), statSync(rig.at('work/notes.txt')).mode & 0o777]).toEqual(['notes\n', 0o640]);
  expect(rig.names('work')).toEqual(['notes.txt']);
});

test('an undo that comes twice changes nothing the second time', async () => {
  const facts = await overwritten();
  await undo(facts);
  const { ino } = statSync(rig.at('work/notes.txt'));
  expect(await undo(facts)).toMatchObject({ ok: true, details: expect.stringContaining('already') });
  expect([notes(), statSync(rig.at('work/notes.txt')).ino]).toEqual(['notes\n', ino]);
});

test.each([
  ['was written to since', () => appendFileSync(rig.at('work/notes.txt'), ' newer')],
  [
    'was written to since, with its former size and time',
    () => {
      const { atime, mtime } = statSync(rig.at('work/notes.txt'));
      rig.write('work/notes.txt', 'newer');
      utimesSync(rig.at('work/notes.txt'), atime, mtime);
    },
  ],
  ['is another file with the same contents', () => replace('other')],
  ['is another file', () => replace('newer')],
  [
    'is a link',
    () => {
      rmSync(rig.at('work/notes.txt'));
      rig.write('.ssh/target', 'other');
      symlinkSync(rig.at('.ssh/target'), rig.at('work/notes.txt'));
    },
  ],
  [
    'is a pipe',
    () => {
      rmSync(rig.at('work/notes.txt'));
      execFileSync('mkfifo', [rig.at('work/notes.txt')]);
    },
  ],
])('F6: a file that %s stays as it is', async (_what, change) => {
  const facts = await overwritten();
  change();
  const before = state();
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect(state()).toEqual(before);
});

/** Puts another file in the place of `notes.txt`, as an editor does that saves. */
function replace(content: string): void {
  rig.write('work/new', content);
  renameSync(rig.at('work/new'), rig.at('work/notes.txt'));
}

const state = () => ledgerOf(rig.home);

test('a file that was removed since comes back', async () => {
  const facts = await overwritten();
  rmSync(rig.at('work/notes.txt'));
  expect(await undo(facts)).toMatchObject({ ok: true });
  expect(notes()).toBe('notes\n');
});

test('F6: a folder that was replaced by a link leads the undo to no other file', async () => {
  const facts = await overwritten();
  renameSync(rig.at('work'), rig.at('aside'));
  symlinkSync(rig.at('.ssh'), rig.at('work'));
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'target_gone', sideEffect: 'none' });
  expect([rig.names('.ssh'), rig.read('aside/notes.txt')]).toEqual([[], 'other']);
});

async function keepsTheNewerFileWithoutTheRightToWrite(): Promise<void> {
  const facts = await overwritten();
  const trashed = await trashedPlan();
  chmodSync(rig.at('work'), 0o555);
  try {
    const before = state();
    for (const each of [facts, trashed])
      expect(await undo(each)).toMatchObject({
        ok: false,
        code: 'permission_missing',
        sideEffect: 'none',
        message: `${each.path}: the person at the computer may not do this here.`,
      });
    expect(state()).toEqual(before);
  } finally {
    chmodSync(rig.at('work'), 0o755);
  }
  for (const each of [facts, trashed]) expect(await undo(each)).toMatchObject({ ok: true });
}

// No right keeps root from writing. For root, `e2e/ordinary-user` runs this file once more, as another user.
if (process.geteuid?.() !== 0)
  test(
    'F6: a folder in which the person may no longer write keeps the newer file, and the answer says why',
    keepsTheNewerFileWithoutTheRightToWrite,
  );

async function trashedPlan(): Promise<UndoFacts> {
  rig.write('work/plan.txt', 'plan');
  return trash('~/work/plan.txt');
}

test('without the kept version, or with another one in its place, nothing is done', async () => {
  const facts = await overwritten();
  writeFileSync(keptAt(), 'forged');
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'internal_error', sideEffect: 'none' });
  rmSync(keptAt());
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'target_gone', sideEffect: 'none' });
  expect([notes(), rig.names('work')]).toEqual(['other', ['notes.txt']]);
});

const trash = async (path: string) => undoOf(await rig.act('TrashFile', { path }));

test('a trashed file comes back, and the trash forgets it', async (context) => {
  skipWithout('Linux', context);
  const { ino } = statSync(rig.at('work/notes.txt'));
  const facts = await trash('~/work/notes.txt');
  expect(rig.names('work')).toEqual([]);
  expect(await undo(facts)).toMatchObject({ ok: true, effect: 'confirmed', data: { path: rig.at('work/notes.txt') } });
  expect([notes(), statSync(rig.at('work/notes.txt')).ino]).toEqual(['notes\n', ino]);
  expect([rig.names('.local/share/Trash/files'), rig.names('.local/share/Trash/info')]).toEqual([[], []]);
  expect(await undo(facts)).toMatchObject({ ok: true, details: expect.stringContaining('already') });
});

test('a trashed folder comes back whole', async (context) => {
  skipWithout('Linux', context);
  rig.makeFolder('work/project/deep');
  rig.write('work/project/deep/file', 'deep');
  const facts = await trash('~/work/project');
  expect(rig.has('work/project')).toBe(false);
  expect(await undo(facts)).toMatchObject({ ok: true });
  expect(rig.read('work/project/deep/file')).toBe('deep');
});

test.for(['file', 'folder', 'link to nothing'])(
  'F6: a %s that has taken the place since is not replaced',
  async (kind, context) => {
    skipWithout('Linux', context);
    const facts = await trash('~/work/notes.txt');
    const at = rig.at('work/notes.txt');
    if (kind === 'file') writeFileSync(at, 'newer');
    else if (kind === 'folder') mkdirSync(at);
    else symlinkSync('/nowhere', at);
    const before = state();
    expect(await undo(facts)).toMatchObject({ ok: false, code: 'already_exists', sideEffect: 'none' });
    expect(state()).toEqual(before);
  },
);

test('F6: another file under its name in the trash is not taken', async (context) => {
  skipWithout('Linux', context);
  rig.write('.ssh/key', 'private');
  const facts = await trash('~/work/notes.txt');
  if (facts.kind !== 'trashed') throw new Error('not trashed');
  rmSync(facts.left.path);
  linkSync(rig.at('.ssh/key'), facts.left.path);
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'target_gone', sideEffect: 'none' });
  rmSync(dirname(dirname(facts.left.path)), { recursive: true });
  expect(await undo(facts)).toMatchObject({ ok: false, code: 'target_gone', sideEffect: 'none' });
  expect(rig.names('work')).toEqual([]);
});
