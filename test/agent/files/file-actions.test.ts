import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { ledgerOf } from './ledger.ts';
import { createFilesRig } from './rig.ts';

const rig = rigOfTest(createFilesRig);

beforeEach(() => {
  rig.write('.ssh/id_rsa', 'private');
  rig.write('work/notes.txt', 'notes\n');
  chmodSync(rig.at('work/notes.txt'), 0o640);
});

const sha256 = (text: string) => hash('sha256', text);

/** Every name in the home folder: what an attack must leave as it is. */
const state = () => ledgerOf(rig.home);

test('ReadFile answers the text, its size and its hash', async () => {
  expect(await rig.act('ReadFile', { path: '~/work/notes.txt' })).toMatchObject({
    ok: true,
    effect: 'none',
    data: { path: rig.at('work/notes.txt'), sizeBytes: 6, sha256: sha256('notes\n'), text: 'notes\n' },
  });
});

test('ReadFile hands bytes that are no text over as an artifact', async () => {
  rig.write('work/raw.bin', Buffer.from([0, 255, 1]));
  expect(await rig.act('ReadFile', { path: '~/work/raw.bin' })).toMatchObject({ ok: false, code: 'not_supported' });
  expect(await rig.act('ReadFile', { path: '~/work/raw.bin', as: 'artifact' })).toMatchObject({
    ok: true,
    attachments: [{ mediaType: 'application/octet-stream', bytes: Buffer.from([0, 255, 1]) }],
  });
});

test('WriteFile removes the temporary file that a killed agent left in the folder, and nothing that only looks like one', async () => {
  const mark = (token: string) => hash('sha256', `handrail temporary file ${token}`).slice(0, 16);
  const named = (token: string) => `.handrail-${token}-${mark(token)}.tmp`;
  const left = named('0123456789abcdef');
  const others = [
    named('00000000000000aa'),
    named('00000000000000bb'),
    named('00000000000000cc'),
    '.handrail-0123456789abcdef-0123456789abcdef.tmp',
    `x${left}`,
  ];
  const [fresh = '', linked = '', folder = '', ...alike] = others;
  for (const name of [left, fresh, ...alike]) rig.write(`work/${name}`, 'half');
  symlinkSync(rig.at('work/notes.txt'), rig.at(`work/${linked}`));
  rig.makeFolder(`work/${folder}`);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const name of [left, ...alike]) utimesSync(rig.at(`work/${name}`), anHourAgo, anHourAgo);
  lutimesSync(rig.at(`work/${linked}`), anHourAgo, anHourAgo);
  expect(await rig.act('WriteFile', { path: '~/work/new.txt', content: 'new' })).toMatchObject({ ok: true });
  const names = rig.names('work').filter((name) => name.includes('.handrail-'));
  expect(names.toSorted()).toEqual(others.toSorted());
  expect(rig.read('work/notes.txt')).toBe('notes\n');
});

/** What this process has read so far, where the system counts it. */
function bytesRead(): number {
  return process.platform === 'linux' ? Number(/^rchar: (\d+)/u.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) : 0;
}

test('F1: a file of 10 GB is refused at once, and nothing of it is read', async () => {
  rig.write('work/huge', '');
  truncateSync(rig.at('work/huge'), 10 * 1024 ** 3);
  const before = bytesRead();
  expect(await rig.act('ReadFile', { path: '~/work/huge', maxBytes: 10_485_760 })).toMatchObject({ code: 'too_large' });
  // Less than the call would have read of it, had it begun.
  expect(bytesRead() - before).toBeLessThan(10_485_760);
});

test('F2: a link, another file or a pipe that was put in place of the judged file is refused', async () => {
  const judged = await rig.judged('~/work/notes.txt');
  const read = async () => {
    const before = state();
    const outcome = await rig.perform('ReadFile', { path: '~/work/notes.txt' }, judged);
    expect(state()).toEqual(before);
    return outcome;
  };
  rmSync(rig.at('work/notes.txt'));
  symlinkSync(rig.at('.ssh/id_rsa'), rig.at('work/notes.txt'));
  expect(await read()).toMatchObject({ ok: false, code: 'target_changed' });
  rmSync(rig.at('work/notes.txt'));
  linkSync(rig.at('.ssh/id_rsa'), rig.at('work/notes.txt'));
  expect(await read()).toMatchObject({ ok: false, code: 'target_changed' });
  rmSync(rig.at('work/notes.txt'));
  execFileSync('mkfifo', [rig.at('work/notes.txt')]);
  expect(await read()).toMatchObject({ ok: false, code: 'target_changed' });
});

test('F2: a folder on the path that was replaced by a link leads to no other file', async () => {
  const judged = await rig.judged('~/work/new.txt');
  renameSync(rig.at('work'), rig.at('elsewhere'));
  symlinkSync(rig.at('.ssh'), rig.at('work'));
  const written = await rig.perform('WriteFile', { path: '~/work/new.txt', content: 'x' }, judged);
  expect(written).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect([rig.names('.ssh'), rig.names('elsewhere')]).toEqual([['id_rsa'], ['notes.txt']]);
});

test('an action without a judged path touches nothing', async () => {
  expect(await rig.perform('ReadFile', { path: '~/work/notes.txt' }, [])).toMatchObject({ code: 'target_changed' });
});

test('F3: secrets are refused by the agent too, under each of their names', async () => {
  linkSync(rig.at('.ssh/id_rsa'), rig.at('work/second-name'));
  symlinkSync(rig.at('.ssh/id_rsa'), rig.at('work/link'));
  const before = state();
  for (const path of ['~/.ssh/id_rsa', '~/work/second-name', '~/work/link', `/proc/self/root${rig.at('.ssh/id_rsa')}`])
    await refused(path);
  expect(state()).toEqual(before);
});

test('F3: a secret is refused in every spelling that a file system may take for the same name', async () => {
  rig.makeFolder('work/.SSH');
  const paths = ['work/.SSH/key', 'work/.Env', 'work/server.PEM', 'work/.ssh\u200b/../.eNv', 'work/.\uff45nv'];
  rig.makeFolder('work/.ssh\u200b');
  for (const path of paths) rig.write(path, 'private');
  rig.write('work/.eNv', 'private');
  const before = state();
  for (const path of paths) await refused(`~/${path}`);
  expect(state()).toEqual(before);
});

/** Tries every action on a secret. */
async function refused(path: string): Promise<void> {
  const attacks = [
    ['ReadFile', { path }],
    ['WriteFile', { path, content: 'x', overwrite: true }],
    ['MoveFile', { from: path, to: '~/work/taken' }],
    ['TrashFile', { path }],
  ] as const;
  for (const [type, parameters] of attacks)
    expect([type, path, await rig.act(type, parameters)]).toMatchObject([
      type,
      path,
      { ok: false, code: 'invalid_target', sideEffect: 'none' },
    ]);
}

test('ListFiles tells a name that is no UTF-8 with escapes, and that no call reaches it', async () => {
  const at = (name: string) => Buffer.concat([Buffer.from(`${rig.at('work')}/`), Buffer.from(name, 'latin1')]);
  rig.makeFolder('work');
  writeFileSync(at('caf\xe9.txt'), 'x');
  mkdirSync(at('\xff'));
  rig.write('work/café.txt', 'xy');
  const listed = await rig.act('ListFiles', { path: '~/work', depth: 2 });
  const named = ['café.txt', 'caf\\xe9.txt', '\\xff'];
  const entries = Object(Object(listed).data).entries as { path: string }[];
  expect(entries.filter(({ path }) => named.includes(path))).toMatchObject([
    { path: '\\xff', kind: 'folder', unreachable: true },
    { path: 'caf\\xe9.txt', kind: 'file', sizeBytes: 1, unreachable: true },
    { path: 'café.txt', kind: 'file', sizeBytes: 2 },
  ]);
  expect(listed).toMatchObject({
    details: expect.stringContaining('2 of them cannot be reached, because the name is no UTF-8.'),
    data: { complete: true },
  });
});

test('ListFiles of a file tells of it alone, and of nothing where it is gone', async () => {
  const entry = { path: 'notes.txt', kind: 'file', sizeBytes: 6 };
  expect(await rig.act('ListFiles', { path: '~/work/notes.txt' })).toMatchObject({
    ok: true,
    data: { entries: [entry] },
  });
  rmSync(rig.at('work/notes.txt'));
  const message = `${rig.at('work/notes.txt')} is not there.`;
  expect(await rig.act('ListFiles', { path: '~/work/notes.txt' })).toMatchObject({ ok: false, message });
});

test('ListFiles names links and secret folders without following them', async () => {
  symlinkSync(rig.at('.ssh'), rig.at('work/keys'));
  rig.makeFolder('work/deep/er');
  const listed = await rig.act('ListFiles', { path: '~/work', depth: 2 });
  expect(listed).toMatchObject({
    data: {
      complete: true,
      entries: [
        { path: 'deep', kind: 'folder' },
        { path: 'deep/er', kind: 'folder' },
        { path: 'keys', kind: 'link' },
        { path: 'notes.txt', kind: 'file', sizeBytes: 6 },
      ],
    },
  });
  const home = await rig.act('ListFiles', { path: '~/', depth: 3 });
  expect(JSON.stringify(home)).toContain('.ssh');
  expect(JSON.stringify(home)).not.toContain('id_rsa');
});

test('F4: a folder of very many files is cut at the limit, and the answer says so', async () => {
  rig.makeFolder('work/many');
  execFileSync('sh', ['-c', 'seq 1 20000 | xargs touch'], { cwd: rig.at('work/many') });
  const listed = await rig.act('ListFiles', { path: '~/work/many', limit: 100 });
  expect(listed).toMatchObject({ data: { complete: false } });
  expect(listed.ok && (listed.data as { entries: unknown[] }).entries).toHaveLength(100);
});

test('WriteFile creates a file and reads it back', async () => {
  const written = await rig.act('WriteFile', { path: '~/work/new.txt', content: 'new' });
  expect(written).toMatchObject({ ok: true, effect: 'confirmed', data: { created: true, sha256: sha256('new') } });
  expect(rig.read('work/new.txt')).toBe('new');
  expect(rig.names('work')).toEqual(['new.txt', 'notes.txt']);
});

test('WriteFile leaves a file that exists as it is', async () => {
  const judged = await rig.judged('~/work/late.txt');
  rig.write('work/late.txt', 'somebody was faster');
  expect(await rig.act('WriteFile', { path: '~/work/notes.txt', content: 'x' })).toMatchObject({
    code: 'already_exists',
  });
  const late = await rig.perform('WriteFile', { path: '~/work/late.txt', content: 'x' }, judged);
  expect(late).toMatchObject({ code: 'already_exists' });
  expect(rig.read('work/late.txt')).toBe('somebody was faster');
  expect(rig.names('work')).toEqual(['late.txt', 'notes.txt']);
});

test('WriteFile overwrites with the same permissions and keeps the former version', async () => {
  const parameters = { path: '~/work/notes.txt', content: 'other', overwrite: true };
  expect(await rig.act('WriteFile', parameters)).toMatchObject({ ok: true, data: { created: false } });
  expect(rig.read('work/notes.txt')).toBe('other');
  expect(statSync(rig.at('work/notes.txt')).mode & 0o777).toBe(0o640);
  expect(readFileSync(join(rig.root, 'kept/former'), 'utf8')).toBe('notes\n');
  expect(statSync(join(rig.root, 'kept/former')).mode & 0o777).toBe(0o600);
});

test('WriteFile does not overwrite other contents than the caller expects', async () => {
  const parameters = { path: '~/work/notes.txt', content: 'other', overwrite: true };
  const stale = { ...parameters, expectedSha256: sha256('older') };
  expect(await rig.act('WriteFile', stale)).toMatchObject({ ok: false, code: 'target_changed' });
  const fresh = { ...parameters, expectedSha256: sha256('notes\n') };
  expect(await rig.act('WriteFile', fresh)).toMatchObject({ ok: true });
});

test('WriteFile takes the contents of an artifact only with the hash that is known', async () => {
  const path = join(rig.root, 'kept/artifact');
  writeFileSync(path, 'stored');
  const parameters = { path: '~/work/new.txt', artifactId: 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3A' };
  const changed = await rig.act('WriteFile', parameters, { contents: { path, sha256: sha256('other') } });
  expect(changed).toMatchObject({ ok: false, code: 'target_changed' });
  expect(await rig.act('WriteFile', parameters)).toMatchObject({ ok: false, code: 'target_gone' });
  const kept = await rig.act('WriteFile', parameters, { contents: { path, sha256: sha256('stored') } });
  expect([kept.ok, rig.read('work/new.txt')]).toEqual([true, 'stored']);
});

test('MoveFile moves a file, and never over another one', async () => {
  expect(await rig.act('MoveFile', { from: '~/work/notes.txt', to: '~/work/moved.txt' })).toMatchObject({
    ok: true,
    effect: 'confirmed',
  });
  expect(rig.names('work')).toEqual(['moved.txt']);
  const judged = await rig.judged('~/work/moved.txt', '~/work/late.txt');
  rig.write('work/late.txt', 'somebody was faster');
  const parameters = { from: '~/work/moved.txt', to: '~/work/late.txt' };
  expect(await rig.perform('MoveFile', parameters, judged)).toMatchObject({ ok: false, code: 'already_exists' });
  expect(rig.read('work/late.txt')).toBe('somebody was faster');
});

test('F5: a folder that holds a secret place is not moved, so that no secret gets a harmless name', async () => {
  rig.makeFolder('work/project');
  rig.write('work/project/.env', 'TOKEN=1');
  const before = state();
  expect(await rig.act('MoveFile', { from: '~/work/project', to: '~/work/other' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('.env'),
  });
  expect(await rig.act('TrashFile', { path: '~/work/project' })).toMatchObject({ ok: false });
  expect(state()).toEqual(before);
});

test('TrashFile moves a file to the trash of the desktop', async (context) => {
  skipWithout('Linux', context);
  vi.stubEnv('HOME', rig.home);
  vi.stubEnv('XDG_DATA_HOME', undefined);
  rig.write('work/a b%.txt', 'first');
  const first = await rig.act('TrashFile', { path: '~/work/a b%.txt' });
  const to = rig.at('.local/share/Trash/files/a b%.txt');
  expect(first).toMatchObject({ ok: true, effect: 'confirmed', data: { trashedTo: to } });
  expect(readFileSync(to, 'utf8')).toBe('first');
  const info = rig.read('.local/share/Trash/info/a b%.txt.trashinfo');
  expect(info).toMatch(
    /^\[Trash Info\]\nPath=.*\/work\/a%20b%25\.txt\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/u,
  );
  rig.write('work/a b%.txt', 'second');
  const second = await rig.act('TrashFile', { path: '~/work/a b%.txt' });
  expect(second).toMatchObject({ data: { trashedTo: rig.at('.local/share/Trash/files/a b%.2.txt') } });
});
