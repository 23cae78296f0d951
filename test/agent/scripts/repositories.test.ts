import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePath } from '../../../agent/files/resolve-paths.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig, ranWell } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

/** Makes a repository whose next status runs a command that leaves a mark. */
const armed = (mark: string) => `[core]\n\tfsmonitor = "touch ${mark}; false"\n`;

/** As the person does it, in a folder of the script. */
function statusOf(folder: string): void {
  try {
    execFileSync('git', ['status'], { cwd: folder, stdio: 'ignore' });
  } catch {
    // A folder without a repository has no status.
  }
}

function createRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '--quiet', folder]);
}

const mark = () => rig.at('mark');

test.each([
  ['is renamed', 'mv .git x'],
  ['is written to', 'cat armed > .git/config'],
  ['gets settings of the worktree', 'cat armed > .git/config.worktree'],
  ['is led to another folder', 'echo ../armed > .git/commondir'],
  ['gets a hook', 'mkdir -p .git/hooks && cp armed .git/hooks/post-checkout'],
  ['gets a list of commands for a rebase', 'mkdir .git/rebase-merge'],
  ['has a submodule that is written to', 'cat armed > .git/modules/sub/config'],
  ['has a worktree that is written to', 'cat armed > .git/worktrees/tree/config.worktree'],
  ['has a submodule that is renamed', 'mv .git/modules/sub .git/modules/other'],
])('X10: a repository stays as it is when it %s', async (_how, attack) => {
  createRepository(rig.at('work'));
  for (const folder of ['modules/sub', 'worktrees/tree']) rig.makeFolder(`work/.git/${folder}`);
  for (const file of ['modules/sub/config', 'worktrees/tree/config.worktree']) rig.write(`work/.git/${file}`, '');
  const settings = rig.read('work/.git/config');
  rig.write('work/armed', armed(mark()));
  const result = ranWell(await rig.run(`${attack} || echo REFUSED`));
  expect(result).toMatchObject({ stdout: 'REFUSED\n', changedFiles: [] });
  expect(rig.read('work/.git/config')).toBe(settings);
});

test.each(['mv above x', 'mv above/deep/.git x', 'rm -rf above'])(
  'X10: a repository below the folder stays where it is: %s',
  async (attack) => {
    createRepository(rig.at('work/above/deep'));
    expect(ranWell(await rig.run(`${attack} || echo REFUSED`)).stdout).toBe('REFUSED\n');
    expect(rig.has('work/above/deep/.git/config')).toBe(true);
  },
);

test('X10: a .git that is a file stays as it is', async () => {
  createRepository(rig.at('other'));
  rig.write('work/.git', `gitdir: ${rig.at('other/.git')}\n`);
  const script = 'mv .git x || echo REFUSED; rm .git || echo REFUSED; echo x > .git || echo REFUSED';
  expect(ranWell(await rig.run(script)).stdout).toBe('REFUSED\nREFUSED\nREFUSED\n');
  expect(rig.read('work/.git')).toBe(`gitdir: ${rig.at('other/.git')}\n`);
});

test.each(['.hg', '.jj'])('X10: a repository of another program stays as it is: %s', async (name) => {
  rig.makeFolder(`work/${name}`);
  const script = `mv ${name} x || echo REFUSED; echo x > ${name}/hgrc || echo REFUSED`;
  expect(ranWell(await rig.run(script)).stdout).toBe('REFUSED\nREFUSED\n');
});

test('the files of a repository and its status are there for a script to read', async () => {
  createRepository(rig.at('work'));
  const result = ranWell(await rig.run('git -c safe.directory=* status --short'));
  expect(result).toMatchObject({ stdout: '?? notes.txt\n', exitCode: 0 });
});

const MADE_REPOSITORIES: readonly (readonly [how: string, script: string, made: string, kept: string])[] = [
  ['a new .git', 'git init -q . && cat armed > .git/config', '.git', '.git.made-by-script'],
  ['one far below', 'git init -q a/b && cat armed > a/b/.git/config', 'a/b/.git', 'a/b/.git.made-by-script'],
  [
    'a file that leads to one',
    'git init -q x && cat armed > x/.git/config && mv x/.git y && echo "gitdir: y" > .git',
    '.git',
    '.git.made-by-script',
  ],
  [
    'a link to one',
    'git init -q x && cat armed > x/.git/config && mv x/.git y && ln -s y .git',
    '.git',
    '.git.made-by-script',
  ],
  [
    'a plain folder that is laid out as one',
    'git init -q x && mv x/.git y && { cat armed; echo "worktree = .."; echo "bare = false"; } > y/config && cp -r y/. .',
    'HEAD',
    'HEAD.made-by-script',
  ],
  [
    'a plain folder that names another one',
    'git init -q x && cat armed > x/.git/config && mv x/.git y && echo y > commondir && cp y/HEAD HEAD',
    'HEAD',
    'HEAD.made-by-script',
  ],
];

test.each(MADE_REPOSITORIES)(
  'X11: %s that a script makes gets a name that git does not use, and the result says so',
  async (_how, script, made, kept) => {
    rig.write('work/armed', armed(mark()));
    const outcome = await rig.run(script);
    const result = ranWell(outcome);
    expect([result.exitCode, result.stderr]).toEqual([0, '']);
    expect(rig.has(`work/${made}`)).toBe(false);
    expect(lstatSync(rig.at(`work/${kept}`))).toBeDefined();
    expect(result.renamedByHandrail).toContainEqual({ from: rig.at(`work/${made}`), to: rig.at(`work/${kept}`) });
    expect(outcome).toMatchObject({ details: expect.stringContaining(`${rig.at(`work/${made}`)} is now`) });
    for (const folder of ['work', 'work/a/b', 'work/x', 'work/y']) if (rig.has(folder)) statusOf(rig.at(folder));
    expect(existsSync(mark())).toBe(false);
  },
);

test('the armed repository of these tests runs its command where nothing stops it', () => {
  createRepository(rig.at('work'));
  rig.write('work/.git/config', armed(mark()));
  statusOf(rig.at('work'));
  expect(existsSync(mark())).toBe(true);
});

test('X11: a link that was the .git of the folder is not replaced by another one', async () => {
  createRepository(rig.at('other'));
  symlinkSync(rig.at('other/.git'), rig.at('work/.git'));
  await rig.run('rm .git; git init -q x; mv x/.git y; ln -s y .git');
  expect(rig.has('work/.git')).toBe(false);
});

test('X11: a repository is found below a folder that nobody may list', async () => {
  const script = `
import os, subprocess
os.makedirs('a/b')
subprocess.run(['git', 'init', '-q', 'a/b'], check=True)
os.chmod('a/b', 0o300); os.chmod('a', 0o300)`;
  const result = ranWell(await rig.run(script, { interpreter: 'python' }));
  expect(result.renamedByHandrail).toEqual([
    { from: rig.at('work/a/b/.git'), to: rig.at('work/a/b/.git.made-by-script') },
  ]);
});

test('X11: a script that is stopped leaves no repository either, and the failure says so', async () => {
  const controller = new AbortController();
  const run = rig.run('git init -q . ; touch made; sleep 300', {}, { signal: controller.signal });
  await expect.poll(() => rig.has('work/made'), { timeout: 10_000 }).toBe(true);
  controller.abort('user');
  expect(await run).toMatchObject({ ok: false, message: expect.stringContaining(`${rig.at('work/.git')} is now`) });
  expect(rig.has('work/.git')).toBe(false);
});

test('a repository that was there is left as it is after the run', async () => {
  createRepository(rig.at('work'));
  createRepository(rig.at('work/below'));
  execFileSync('git', ['init', '--quiet', '--bare', rig.at('work/bare')]);
  const result = ranWell(await rig.run('echo x > new; touch bare/x || echo REFUSED'));
  expect(result).toMatchObject({ stdout: 'REFUSED\n', changedFiles: [{ path: rig.at('work/new') }] });
  expect(result.renamedByHandrail).toBeUndefined();
});

test('X12: a folder that holds a hidden place cannot be renamed', async () => {
  rig.makeFolder('work/dotfiles/.config/gh');
  rig.write('work/dotfiles/.config/gh/hosts.yml', 'SECRET-TOKEN');
  const script = 'for each in dotfiles dotfiles/.config dotfiles/.config/gh; do mv $each x || echo REFUSED; done';
  expect(ranWell(await rig.run(script)).stdout).toBe('REFUSED\nREFUSED\nREFUSED\n');
  expect(rig.read('work/dotfiles/.config/gh/hosts.yml')).toBe('SECRET-TOKEN');
});

test('X12: a place that was hidden from a script stays secret under another name', async () => {
  rig.makeFolder('work/dotfiles/.config/gh');
  rig.write('work/dotfiles/.config/gh/hosts.yml', 'SECRET-TOKEN');
  rig.write('work/.env', 'SECRET-ENV');
  await rig.run('true');
  renameSync(rig.at('work/dotfiles/.config'), rig.at('work/dotfiles/cfg'));
  renameSync(rig.at('work/.env'), rig.at('work/settings'));
  for (const path of ['dotfiles/cfg/gh/hosts.yml', 'dotfiles/cfg/gh', 'dotfiles/cfg/gh/new', 'settings'])
    expect(await resolvePath(`~/work/${path}`, { path: rig.home })).toMatchObject({
      secret: 'a place that was hidden from a script, under another name',
    });
  expect(await resolvePath('~/work/notes.txt', { path: rig.home })).toMatchObject({ secret: undefined });
});

test('X12: a hidden place that has another name after the run is named in the result', async () => {
  rig.write('work/.env', 'SECRET-ENV');
  const run = rig.run('touch begun; while [ ! -e moved ]; do sleep 0.02; done');
  await expect.poll(() => rig.has('work/begun'), { timeout: 10_000 }).toBe(true);
  renameSync(rig.at('work/.env'), rig.at('work/settings'));
  rig.write('work/moved', '');
  const outcome = await run;
  expect(outcome).toMatchObject({
    ok: true,
    details: expect.stringContaining(
      `${rig.at('work/.env')} was hidden from it and has the name ${rig.at('work/settings')} now`,
    ),
  });
});

test('X12: a second name of a hidden file in the folder is hidden, too', async () => {
  rig.write('work/.env', 'SECRET-ENV');
  execFileSync('ln', [rig.at('work/.env'), rig.at('work/aaa')]);
  expect(ranWell(await rig.run('cat aaa .env; true')).stdout).toBe('');
});

test.each([
  ['a folder of hooks', ['core.hooksPath', '.husky/_'], '.husky/_/pre-commit'],
  ['a file of settings', ['include.path', '../shared.config'], 'shared.config'],
  ['a program', ['filter.lfs.clean', 'sh tools/clean.sh %f'], 'tools/clean.sh'],
  ['a program in its top folder', ['alias.build', '!sh build.sh'], 'build.sh'],
  ['a folder with a short name', ['core.hooksPath', 'hooks'], 'hooks/pre-commit'],
])('X10: %s in the folder that settings of Git name stays as it is', async (_what, setting, path) => {
  createRepository(rig.at('work'));
  execFileSync('git', ['-C', rig.at('work'), 'config', ...setting]);
  mkdirSync(dirname(rig.at(`work/${path}`)), { recursive: true });
  rig.write(`work/${path}`, '[as]\n');
  const script = `echo bad > ${path} || echo REFUSED; mv ${path} x || echo REFUSED; echo free > ${path.split('/')[0]}.txt`;
  expect(ranWell(await rig.run(script)).stdout).toBe('REFUSED\nREFUSED\n');
  expect(rig.read(`work/${path}`)).toBe('[as]\n');
});

test('X11: a place that settings of Git name is renamed when a script makes it, also in a folder below the repository', async () => {
  createRepository(rig.at('.'));
  execFileSync('git', ['-C', rig.at('.'), 'config', 'core.hooksPath', 'work/hooks']);
  const result = ranWell(await rig.run('mkdir hooks; echo bad > hooks/pre-commit'));
  expect(result.renamedByHandrail).toEqual([{ from: rig.at('work/hooks'), to: rig.at('work/hooks.made-by-script') }]);
});

test('other settings of Git keep nothing from a script', async () => {
  createRepository(rig.at('work'));
  for (const setting of [
    ['user.name', 'notes.txt'],
    ['init.defaultBranch', 'notes.txt'],
    ['alias.main', 'notes.txt'],
    ['remote.origin.url', 'notes.txt'],
    ['core.worktree', rig.at('work')],
  ])
    execFileSync('git', ['-C', rig.at('work'), 'config', ...setting]);
  expect(ranWell(await rig.run('echo more >> notes.txt')).exitCode).toBe(0);
});

test.each([
  [249, true],
  [250, false],
])('X8: a folder with %d repositories below it is good for a script: %s', async (count, isGood) => {
  for (let number = 0; number < count; number += 1) {
    rig.makeFolder(`work/${number}/.hg`);
  }
  const outcome = await rig.run('true');
  expect(outcome.ok ? 'ran' : outcome.code).toBe(isGood ? 'ran' : 'too_large');
});

test.each(['work/.git', 'work/bare.git'])(
  'the inside of a repository is no folder for a script: %s',
  async (folder) => {
    createRepository(rig.at('work'));
    execFileSync('git', ['init', '--quiet', '--bare', rig.at('work/bare.git')]);
    expect(await rig.run('touch ran', { folder: `~/${folder}` })).toMatchObject({
      ok: false,
      code: 'invalid_target',
      sideEffect: 'none',
    });
  },
);
