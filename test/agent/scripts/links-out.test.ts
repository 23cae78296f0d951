import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig, ranWell } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

const isLink = (name: string) =>
  lstatSync(rig.at(`work/${name}`), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

test.each([
  ['a file of the home folder', 'ln -s ../private/diary.txt x'],
  ['a folder', 'ln -s ../private x'],
  ['a file that is not there', 'ln -s ../.profile x'],
  ['the top of the disk', 'ln -s / x'],
  ['a file, by a whole path', 'ln -s "$HOME_OF_PERSON/private/diary.txt" x'],
  ['a file, by another link', 'ln -s d/diary.txt x; ln -s ../private d'],
  ['a file, in the place of one that was there', 'rm notes.txt; ln -s ../private/diary.txt x; mv x notes.txt'],
  ['a file, far below', 'mkdir -p a/b; ln -s ../../../private/diary.txt a/b/x'],
  ['a file, in a folder that nobody may list or enter', 'mkdir a; ln -s ../../private a/x; chmod 600 a'],
  ['a file, in a folder that nobody may change', 'mkdir a; ln -s ../../private a/x; chmod 500 a'],
  ['a place that depends on who looks', 'ln -s /proc/self/cwd x'],
  ['a device', 'ln -s /dev/stdin x'],
  ['a place of running programs', 'ln -s /run x'],
  ['settings of the system', 'ln -s /etc/passwd x'],
  ['a place that depends on a folder', 'mkdir -p a/b; ln -s a/b/../x x'],
  ['a hidden file in the folder', 'ln -s .env x'],
  ['a secret in the folder that is not there yet', 'ln -s later/.env x'],
  ['a place in the folder that starts commands', 'ln -s .vscode/tasks.json x'],
  ['a repository in the folder', 'ln -s .git/config x'],
  ['a repository elsewhere, under the name of one', 'rm -rf a; mkdir a; ln -s ../../private a/.git'],
])('F15: a new link to %s is removed, and the result says so', async (_what, script) => {
  rig.write('work/.env', 'SECRET');
  execFileSync('git', ['init', '--quiet', rig.at('work')]);
  const outcome = await rig.run(script.replace('$HOME_OF_PERSON', rig.home));
  const result = ranWell(outcome);
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  const [removed = ''] = result.removedByHandrail ?? [];
  expect(removed).toContain(rig.at('work/'));
  expect(outcome).toMatchObject({
    details: expect.stringContaining(`${removed}, a link that it made to a place that`),
  });
  const left = readdirSync(rig.at('work'), { recursive: true, encoding: 'utf8' }).filter(isLink);
  // What led out by another link leads to nothing now.
  expect(left.filter((name) => rig.has(`work/${name}`))).toEqual([]);
});

test('F15: a link that led elsewhere before is a new one', async () => {
  symlinkSync('notes.txt', rig.at('work/x'));
  expect(ranWell(await rig.run('ln -sfn ../private/diary.txt x')).removedByHandrail).toEqual([rig.at('work/x')]);
});

test('F15: a link with a name that is no text is removed, also in a folder with such a name', async () => {
  const script = `
import os
os.symlink(b'../private', b'\\xff')
os.mkdir(b'\\xfe'); os.symlink(b'../../private', b'\\xfe/x')
os.symlink(b'\\xfe', b'y')`;
  const result = ranWell(await rig.run(script, { interpreter: 'python' }));
  expect(result.removedByHandrail).toHaveLength(3);
  expect(result.renamedByHandrail).toHaveLength(2);
  expect(rig.names('work')).toEqual(['notes.txt', '\uFFFD.made-by-script']);
});

test('F15: a script that is stopped leaves no such link either, and the failure says so', async () => {
  const controller = new AbortController();
  const run = rig.run('ln -s ../private x; touch made; sleep 300', {}, { signal: controller.signal });
  await expect.poll(() => rig.has('work/made'), { timeout: 10_000 }).toBe(true);
  controller.abort('user');
  expect(await run).toMatchObject({ ok: false, message: expect.stringContaining(`${rig.at('work/x')}, a link`) });
  expect(isLink('x')).toBe(false);
});

test('F15: a link from one writable place to the other stays, and one past both is removed', async () => {
  rig.makeFolder('other');
  const result = ranWell(await rig.run('ln -s ../other x; ln -s ../private y', { writes: ['~/other'] }));
  expect(result.removedByHandrail).toEqual([rig.at('work/y')]);
  expect(isLink('x')).toBe(true);
});

test('a link that was there stays, wherever it leads, also if the script makes it anew', async () => {
  const [private_, file] = [rig.at('private'), '../private/diary.txt'];
  symlinkSync(private_, rig.at('work/old'));
  symlinkSync(file, rig.at('work/anew'));
  symlinkSync('../private', Buffer.concat([Buffer.from(rig.at('work/')), Buffer.from([0xff])]));
  const result = ranWell(await rig.run(`ln -sfn ${file} anew; touch new`));
  expect(result.removedByHandrail).toBeUndefined();
  expect([readlinkSync(rig.at('work/old')), readlinkSync(rig.at('work/anew'))]).toEqual([private_, file]);
});

test('links of package managers and of Python environments stay', async () => {
  const script = `
    mkdir -p node_modules/.bin node_modules/a/bin 'node_modules/.pnpm/a@1/node_modules/a'
    touch node_modules/a/bin/run
    ln -s ../a/bin/run node_modules/.bin/run
    ln -s .pnpm/a@1/node_modules/a node_modules/b
    ln -s later/current.txt current.txt
    ln -s "$PWD/notes.txt" whole
    python3 -m venv --without-pip .venv && .venv/bin/python -c 'print("works")'`;
  const result = ranWell(await rig.run(script, { interpreter: 'bash' }));
  expect([result.stdout, result.removedByHandrail]).toEqual(['works\n', undefined]);
  expect(['.venv/bin/python', 'current.txt', 'whole', 'node_modules/b', 'node_modules/.bin/run'].every(isLink)).toBe(
    true,
  );
});

test('F15: no second name of a file outside of the folder can be made, nor of one that is kept or hidden', async () => {
  rig.write('work/.env', 'SECRET');
  execFileSync('git', ['init', '--quiet', rig.at('work')]);
  const script = 'for each in ../private/diary.txt .env .git/config; do ln $each x || echo REFUSED; done';
  expect(ranWell(await rig.run(script)).stdout).toBe('REFUSED\nREFUSED\nREFUSED\n');
  linkSync(rig.at('private/diary.txt'), rig.at('work/control'));
});
