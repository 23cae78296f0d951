import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig, ranWell } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

function write(name: string, text = 'the person’s'): void {
  mkdirSync(dirname(rig.at(name)), { recursive: true });
  rig.write(name, text);
}

const made = (name: string) => `${rig.at(`work/${name}`)}.made-by-script`;

const PLACES = [
  '.claude/settings.json',
  '.mcp.json',
  '.vscode/tasks.json',
  'deep/below/.cursor/mcp.json',
  '.devcontainer/devcontainer.json',
  'all.code-workspace',
  '.pre-commit-config.yaml',
];

test.each(PLACES)('X21: a script leaves %s as it is, which starts commands by itself', async (name) => {
  write(`work/${name}`);
  const script = `
    echo evil > ${name} || echo REFUSED
    rm -f ${name} || echo REFUSED
    echo evil > x; mv -f x ${name} || echo REFUSED`;
  const result = ranWell(await rig.run(script));
  expect(result.stdout).toBe('REFUSED\nREFUSED\nREFUSED\n');
  expect(result.changedFiles).toEqual([{ path: rig.at('work/x'), change: 'created' }]);
  expect(rig.read(`work/${name}`)).toBe('the person’s');
});

test.each(['mv .vscode x', 'rm -rf .vscode', 'mv up x'])('X21: such a place is not moved away: %s', async (attack) => {
  write('work/.vscode/tasks.json');
  write('work/up/.vscode/tasks.json');
  expect(ranWell(await rig.run(`${attack} || echo REFUSED`)).stdout).toBe('REFUSED\n');
});

test.each(PLACES)('X22: a new %s that a script makes gets a name that starts nothing', async (name) => {
  const outcome = await rig.run(`mkdir -p "$(dirname ${name})" && echo evil > ${name}`);
  const [renamed] = ranWell(outcome).renamedByHandrail ?? [];
  expect(rig.has(`work/${name}`)).toBe(false);
  expect(renamed?.to).toBe(`${renamed?.from}.made-by-script`);
  expect(outcome).toMatchObject({ details: expect.stringContaining(`${renamed?.from} is now`) });
});

test('X22: a new .envrc gets another name, and one that was there is hidden', async () => {
  expect(ranWell(await rig.run('echo evil > .envrc')).renamedByHandrail).toEqual([
    { from: rig.at('work/.envrc'), to: made('.envrc') },
  ]);
  write('work/.envrc', 'SECRET');
  ranWell(await rig.run('echo evil > .envrc || true'));
  expect(rig.read('work/.envrc')).toBe('SECRET');
});

test('X22: a link that a script makes leads no program to such a place', async () => {
  const script = 'mkdir conf; echo evil > conf/tasks.json; ln -s conf .vscode; echo evil > any; ln -s any .mcp.json';
  expect(ranWell(await rig.run(script)).renamedByHandrail).toEqual([
    { from: rig.at('work/.mcp.json'), to: made('.mcp.json') },
    { from: rig.at('work/.vscode'), to: made('.vscode') },
  ]);
  expect(rig.has('work/.vscode/tasks.json')).toBe(false);
  expect(lstatSync(made('.vscode')).isSymbolicLink()).toBe(true);
});

test('X22: what a link of the person leads to is kept, and what is new there gets another name', async () => {
  write('work/conf/tasks.json');
  write('work/any');
  symlinkSync('conf', rig.at('work/.vscode'));
  symlinkSync('any', rig.at('work/.mcp.json'));
  const script =
    'for each in conf/tasks.json any; do echo evil > $each || echo REFUSED; done; echo evil > conf/launch.json';
  const result = ranWell(await rig.run(script));
  expect(result.stdout).toBe('REFUSED\nREFUSED\n');
  expect(result.renamedByHandrail).toEqual([{ from: rig.at('work/conf/launch.json'), to: made('conf/launch.json') }]);
});

test('X21: such a file is not written under a second name', async () => {
  write('work/.mcp.json');
  linkSync(rig.at('work/.mcp.json'), rig.at('work/second'));
  expect(ranWell(await rig.run('echo evil > second || echo REFUSED')).stdout).toBe('REFUSED\n');
  expect(rig.read('work/.mcp.json')).toBe('the person’s');
});

test('what a script makes that starts only when it is called keeps its name', async () => {
  const script = `
    mkdir -p bin .venv/lib/python3/site-packages node_modules/a/.vscode node_modules/.bin src
    touch bin/run .venv/lib/python3/site-packages/a.pth node_modules/a/.vscode/settings.json src/a.ts
    ln -s ../a/run node_modules/.bin/run; ln -s lib .venv/lib64`;
  const result = ranWell(await rig.run(script));
  expect(result.renamedByHandrail).toBeUndefined();
});

test('a script writes such a place where its approval named it', async () => {
  write('work/.vscode/tasks.json');
  write('work/.mcp.json');
  const writes = ['~/work/.vscode/tasks.json'];
  const script = 'echo new > .vscode/tasks.json; echo evil > .mcp.json || echo REFUSED';
  const result = ranWell(await rig.run(script, { writes }));
  expect(result.stdout).toBe('REFUSED\n');
  expect(rig.read('work/.vscode/tasks.json')).toBe('new\n');
  rig.makeFolder('work/.zed');
  expect(ranWell(await rig.run('echo x > tasks.json', { folder: '~/work/.zed' })).renamedByHandrail).toBeUndefined();
});

test('a repository beside such places is kept as before', async () => {
  execFileSync('git', ['init', '--quiet', rig.at('work')]);
  write('work/.husky/pre-commit');
  const result = ranWell(await rig.run('touch .husky/x || echo REFUSED; touch .git/x || echo REFUSED'));
  expect(result).toMatchObject({ stdout: 'REFUSED\nREFUSED\n', changedFiles: [] });
});
