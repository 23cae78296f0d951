import { execFileSync } from 'node:child_process';
import { linkSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { openFolder } from '../../../agent/files/anchored-folder.ts';
import { resolvePath } from '../../../agent/files/resolve-paths.ts';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

beforeEach(() => {
  rig.write('.ssh/id_rsa', 'private');
  rig.write('work/notes.txt', 'notes');
});

function identity(path: string) {
  const { dev, ino } = statSync(rig.at(path), { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

async function resolve(path: string) {
  return resolvePath(path, { path: rig.home });
}

test('a file resolves to its real path, device, inode and size', async () => {
  const { dev, ino, ctimeNs } = statSync(rig.at('work/notes.txt'), { bigint: true });
  expect(await resolve('~/work/notes.txt')).toEqual({
    path: '~/work/notes.txt',
    realPath: rig.at('work/notes.txt'),
    kind: 'file',
    identity: { device: String(dev), inode: String(ino) },
    folder: identity('work'),
    above: expect.arrayContaining([identity('.'), identity('work')]),
    sizeBytes: 5,
    changedNs: String(ctimeNs),
    names: 1,
  });
});

test('F16: a file that is written in place is told as changed, with its time set back too', async () => {
  const path = rig.at('work/notes.txt');
  const before = await resolve('~/work/notes.txt');
  const { atime, mtime } = statSync(path);
  await vi.waitFor(async () => {
    writeFileSync(path, 'other');
    utimesSync(path, atime, mtime);
    const { changedNs, ...other } = before as ResolvedPath;
    const now = await resolve('~/work/notes.txt');
    expect(now).toMatchObject(other);
    expect(now).not.toMatchObject({ changedNs });
  });
});

test('a missing file resolves to its name in the folder that would hold it', async () => {
  expect(await resolve('~/work/new.txt')).toEqual({
    path: '~/work/new.txt',
    realPath: rig.at('work/new.txt'),
    kind: 'missing',
    folder: identity('work'),
    above: expect.arrayContaining([identity('.'), identity('work')]),
  });
});

test('F3: a link to a secret file is secret, however the path is written', async () => {
  symlinkSync(rig.at('.ssh'), rig.at('work/keys'));
  symlinkSync(rig.at('.ssh/id_rsa'), rig.at('work/photo.jpg'));
  const paths = ['work/keys/id_rsa', 'work/photo.jpg', 'work/../.ssh/id_rsa', 'work/keys/../.ssh/id_rsa', '.ssh'];
  for (const path of paths) expect(await resolve(`~/${path}`)).toMatchObject({ secret: expect.any(String) });
});

test('F2: ".." behind a link leaves the folder that the link leads to', async () => {
  rig.makeFolder('other/deep');
  rig.write('other/found.txt', 'x');
  symlinkSync(rig.at('other/deep'), rig.at('work/link'));
  expect(await resolve('~/work/link/../found.txt')).toMatchObject({ realPath: rig.at('other/found.txt') });
});

test('F3: a second name of a secret file is secret', async () => {
  linkSync(rig.at('.ssh/id_rsa'), rig.at('work/innocent.txt'));
  expect(await resolve('~/work/innocent.txt')).toMatchObject({
    names: 2,
    secret: 'a secret file under a second name',
  });
});

test('F3: a path through another name of the root reaches the same judgement', async () => {
  if (process.platform !== 'linux') return;
  expect(await resolve(`/proc/self/root${rig.home}/.ssh/id_rsa`)).toMatchObject({ realPath: rig.at('.ssh/id_rsa') });
  expect(await resolve('/proc/self/environ')).toMatchObject({ secret: 'the inside of the operating system' });
});

test('F2: pipes, and links that lead to nothing, are special', async () => {
  execFileSync('mkfifo', [rig.at('work/pipe')]);
  symlinkSync(rig.at('nowhere.txt'), rig.at('work/dangling'));
  expect(await resolve('~/work/pipe')).toMatchObject({ kind: 'special' });
  expect(await resolve('~/work/dangling')).toMatchObject({ kind: 'special' });
});

test('a path that leads nowhere is refused with the reason', async () => {
  symlinkSync(rig.at('b'), rig.at('a'));
  symlinkSync(rig.at('a'), rig.at('b'));
  const told = async (path: string) => {
    const answer = await resolve(path);
    return 'ok' in answer ? answer.message : answer;
  };
  expect(await told('work/notes.txt')).toContain('Expected an absolute path');
  expect(await told('~/none/notes.txt')).toContain('Its folder does not exist');
  expect(await told('~/work/notes.txt/x')).toContain('A file stands where the path needs a folder');
  expect(await told('~/a')).toContain('round in a circle');
});

test('F2: an open folder keeps naming its own files after its path leads elsewhere', async () => {
  const folder = await resolve('~/work');
  if ('ok' in folder) throw new Error(folder.message);
  const anchored = await openFolder(folder.realPath, folder.identity ?? folder.folder);
  try {
    execFileSync('mv', [rig.at('work'), rig.at('moved')]);
    symlinkSync(rig.at('.ssh'), rig.at('work'));
    writeFileSync(anchored?.at('written.txt') ?? '', 'x');
    expect(statSync(rig.at('moved/written.txt')).size).toBe(1);
    expect(() => anchored?.at('../.ssh/id_rsa')).toThrow('not a name');
  } finally {
    await anchored?.close();
  }
});

test('F2: a folder that was replaced after it was judged is not opened', async () => {
  const folder = await resolve('~/work');
  if ('ok' in folder) throw new Error(folder.message);
  execFileSync('mv', [rig.at('work'), rig.at('moved')]);
  rig.makeFolder('work');
  expect(await openFolder(folder.realPath, folder.identity ?? folder.folder)).toBeUndefined();
});
