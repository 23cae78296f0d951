import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, renameSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { lookInto } from '../../../agent/files/look-into.ts';
import { createFrames } from '../../../agent/targets/frame-memory.ts';
import { resolveTargets } from '../../../agent/targets/resolve-targets.ts';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { ledgerOf } from './ledger.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

beforeEach(() => {
  rig.makeFolder('work/plain/deep');
  rig.write('work/plain/deep/a.txt', 'one');
  rig.write('work/notes.txt', 'notes');
});

/** A path as the daemon has it after it asked the agent to look into it. */
async function looked(path: string): Promise<ResolvedPath> {
  const references = [{ kind: 'path' as const, path, into: true }];
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000 };
  const driver = () => Promise.reject(new Error('files need no driver'));
  const answer = await resolveTargets(
    { references },
    { attempt, driver, frames: createFrames(), home: { path: rig.home } },
  );
  const [found] = answer.ok ? answer.data.targets : [];
  if (found?.kind !== 'path') throw new Error(`nothing at ${path}`);
  return found.file;
}

/** Writes into the file itself, and sets its times back. */
function changeInPlace(path: string, text: string, position = 0): void {
  const { atime, mtime } = statSync(rig.at(path));
  const bytes = readFileSync(rig.at(path));
  bytes.write(text, position);
  rig.write(path, bytes);
  utimesSync(rig.at(path), atime, mtime);
}

describe('the agent looks into a path', () => {
  test('of a file the daemon gets the text, the size and the digest', async () =>
    expect(await looked('~/work/notes.txt')).toMatchObject({
      kind: 'file',
      inside: { text: 'notes', isText: true, isWhole: true, sizeBytes: 5 },
      digest: hash('sha256', 'notes'),
    }));

  test('without being asked for it the agent opens nothing', async () => {
    const [found] = await rig.judged('~/work/notes.txt');
    expect(found).not.toHaveProperty('inside');
    expect(found).not.toHaveProperty('digest');
  });

  test('of a large file only the beginning is read, and a change beyond it changes the digest', async () => {
    rig.write('work/large.txt', 'x'.repeat(65_537));
    const { inside, digest } = await looked('~/work/large.txt');
    expect(inside).toEqual({ text: 'x'.repeat(65_536), isText: true, isWhole: false, sizeBytes: 65_537 });
    changeInPlace('work/large.txt', 'y', 65_536);
    expect((await looked('~/work/large.txt')).digest).not.toBe(digest);
    rig.write('work/whole.txt', 'x'.repeat(65_536));
    expect((await looked('~/work/whole.txt')).inside).toMatchObject({ isWhole: true });
  });

  test('a character that the limit cuts is no reason to doubt the text, and bytes that are none are', async () => {
    rig.write('work/cut.txt', `${'x'.repeat(65_535)}\u{1f600}`);
    expect((await looked('~/work/cut.txt')).inside).toMatchObject({ isText: true, isWhole: false });
    rig.write('work/raw.bin', Buffer.from([0x23, 0x21, 0xff, 0x0a]));
    expect((await looked('~/work/raw.bin')).inside).toMatchObject({ text: '#!\ufffd\n', isText: false });
    rig.write('work/nul.bin', 'a\0b');
    expect((await looked('~/work/nul.bin')).inside).toMatchObject({ isText: false });
  });

  test('of a folder the daemon gets all names, those of folders with a slash; links are named and not followed', async () => {
    symlinkSync(rig.at('.ssh'), rig.at('work/plain/link'));
    rig.write('.ssh/known', '');
    expect((await looked('~/work/plain')).inside).toEqual({
      names: ['deep/', 'deep/a.txt', 'link'],
      isWhole: true,
    });
  });

  test('a folder with more than 1,000 names, or 100,000 characters of them, counts as not looked through', async () => {
    rig.makeFolder('work/many');
    for (let count = 0; count < 1_000; count += 1) rig.write(`work/many/${count}`, '');
    expect(await looked('~/work/many')).toMatchObject({ inside: { isWhole: true }, digest: expect.any(String) });
    rig.write('work/many/more', '');
    const cut = await looked('~/work/many');
    expect([cut.inside?.isWhole, cut.digest]).toEqual([false, undefined]);
    rig.makeFolder('work/long');
    for (let count = 100; count < 600; count += 1) rig.write(`work/long/${count}${'x'.repeat(196)}`, '');
    expect((await looked('~/work/long')).inside?.isWhole).toBe(true);
    rig.write('work/long/x', '');
    expect((await looked('~/work/long')).inside?.isWhole).toBe(false);
  });

  test('F3: it looks into no secret, neither a file nor a folder', async () => {
    rig.write('.ssh/id_rsa', 'private');
    rig.makeFolder('work/plain/.aws');
    rig.write('work/plain/.aws/credentials', 'private');
    for (const path of ['~/.ssh', '~/.ssh/id_rsa']) expect(await looked(path)).not.toHaveProperty('inside');
    expect((await looked('~/work/plain')).inside).toMatchObject({ names: ['.aws/', 'deep/', 'deep/a.txt'] });
  });

  test('of a pipe, of a missing file and of one that was replaced meanwhile there are no contents', async () => {
    execFileSync('mkfifo', [rig.at('work/pipe')]);
    for (const path of ['~/work/pipe', '~/work/none']) expect(await looked(path)).not.toHaveProperty('inside');
    const judged = await looked('~/work/notes.txt');
    rig.write('work/other.txt', 'other');
    renameSync(rig.at('work/other.txt'), rig.at('work/notes.txt'));
    expect(await lookInto(judged)).toEqual({});
  });
});

describe('F9: MoveFile refuses other contents than those that were judged', () => {
  /** Looks into a path, changes something, and moves it. */
  async function movedAfter(from: string, change: () => void): Promise<object> {
    const files = [await looked(from), ...(await rig.judged('~/work/new'))];
    change();
    const before = ledgerOf(rig.home);
    const outcome = await rig.perform('MoveFile', { from, to: '~/work/new' }, files);
    if (!outcome.ok) expect(ledgerOf(rig.home)).toEqual(before);
    return outcome;
  }

  const CHANGED = { ok: false, code: 'target_changed', message: expect.stringContaining('other contents') };

  test('a file that is as it was is moved', async () =>
    expect(await movedAfter('~/work/notes.txt', () => undefined)).toMatchObject({ ok: true, effect: 'confirmed' }));

  test('F9: a file that was changed in place, with its times set back', async () =>
    expect(await movedAfter('~/work/notes.txt', () => changeInPlace('work/notes.txt', 'NOTES'))).toMatchObject(
      CHANGED,
    ));

  test('a folder that is as it was is moved', async () =>
    expect(await movedAfter('~/work/plain', () => undefined)).toMatchObject({ ok: true }));

  test.each([
    ['a file came into it', () => rig.write('work/plain/HEAD', '')],
    ['a file in it was renamed', () => renameSync(rig.at('work/plain/deep/a.txt'), rig.at('work/plain/deep/b.txt'))],
    ['a file in it was changed in place', () => changeInPlace('work/plain/deep/a.txt', 'two')],
    [
      'a folder in it was replaced',
      () => {
        renameSync(rig.at('work/plain/deep'), rig.at('work/aside'));
        rig.makeFolder('work/plain/deep');
        renameSync(rig.at('work/aside/a.txt'), rig.at('work/plain/deep/a.txt'));
      },
    ],
  ])('a folder: %s', async (_what, change) => expect(await movedAfter('~/work/plain', change)).toMatchObject(CHANGED));

  test('a file in a folder that would be a secret at the new place keeps the folder where it is', async () => {
    rig.makeFolder('work/.config');
    rig.makeFolder('work/plain/gh');
    rig.write('work/plain/gh/hosts.yml', 'x');
    const outcome = await rig.act('MoveFile', { from: '~/work/plain/gh', to: '~/work/.config/gh' });
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_target' });
    const whole = await rig.act('MoveFile', { from: '~/work/plain', to: '~/.config' });
    expect(whole).toMatchObject({ ok: false, message: expect.stringContaining('plain/gh, a secret place') });
  });
});

describe('places of Handrail itself, which only the daemon can name', () => {
  async function actAround(type: string, parameters: Record<string, unknown>, paths: string[]) {
    const own = { ...(await looked('~/work/plain/deep')), secret: "Handrail's own program" };
    return rig.perform(type, parameters, [...(await rig.judged(...paths)), own]);
  }

  test('F8: a folder that holds one is neither moved nor trashed', async () => {
    const before = ledgerOf(rig.home);
    const move = { from: '~/work/plain', to: '~/work/new' };
    const refused = { ok: false, message: expect.stringContaining('of Handrail itself') };
    expect(await actAround('MoveFile', move, [move.from, move.to])).toMatchObject(refused);
    expect(await actAround('TrashFile', { path: '~/work/plain' }, ['~/work/plain'])).toMatchObject(refused);
    expect(ledgerOf(rig.home)).toEqual(before);
  });

  test('F8: a list names it and does not enter it', async () => {
    const listed = await actAround('ListFiles', { path: '~/work', depth: 5 }, ['~/work']);
    const names = listed.ok ? (listed.data as { entries: { path: string }[] }).entries.map(({ path }) => path) : [];
    expect(names.toSorted()).toEqual(['notes.txt', 'plain', join('plain', 'deep')]);
  });
});
