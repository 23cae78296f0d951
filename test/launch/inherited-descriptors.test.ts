import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { skipWithout } from '../runner/skip-without.ts';
import { createProject } from './launched.ts';

const ROOT = join(import.meta.dirname, '../..');

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-left-open-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs Node by a shell that has left descriptors to a folder open: a low one, and two beyond those that Node looks at itself. */
function underShell(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = `exec 9<${folder} 40<${folder} 200<${folder}; exec "$0" "$@"`;
  return spawnSync('bash', ['--norc', '-c', command, process.execPath, ...args], { encoding: 'utf8', cwd: ROOT, env });
}

/** Prints what the descriptors of a child lead to. */
const LOOK = `
const { spawnSync } = require('node:child_process');
process.stdout.write(spawnSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } }).stdout);`;

test('a descriptor that a shell left open reaches the children of Node where nothing closes it', (context) => {
  skipWithout('Linux', context);
  const folder = newFolder();
  expect(underShell(folder, ['-e', LOOK]).stdout).toContain(folder);
});

test('X13: the launcher passes no descriptor on', (context) => {
  skipWithout('Linux', context);
  const folder = newFolder();
  const project = createProject({ 'look.cjs': LOOK });
  project.install();
  const { stdout, status } = underShell(folder, [join(project.root, 'src/launch/launch.cjs'), 'look.cjs']);
  expect([status, stdout.includes('->'), stdout.includes(folder)]).toEqual([0, true, false]);
});

test('X13: a script finds no descriptor, also where its agent has one that would be handed on', (context) => {
  skipWithout('Linux', context);
  const folder = newFolder();
  const home = join(realpathSync(mkdtempSync('/var/tmp/handrail-descriptors-')), 'home');
  onTestFinished(() => rmSync(join(home, '..'), { recursive: true, force: true }));
  mkdirSync(join(home, 'work'), { recursive: true });
  writeFileSync(join(home, 'work/notes.txt'), '');
  const program = `
    import { runScript } from '${join(ROOT, 'agent/scripts/run-script.ts')}';
    import { resolvePath } from '${join(ROOT, 'agent/files/resolve-paths.ts')}';
    const home = { path: ${JSON.stringify(home)} };
    const targets = [{ kind: 'path', path: '~/work', file: await resolvePath('~/work', home) }];
    const attempt = { signal: new AbortController().signal, deadlineMs: 20_000, targets };
    const script = { interpreter: 'sh', folder: '~/work', script: 'ls -l /proc/self/fd' };
    const { ok, data } = await runScript(script, attempt, { home });
    console.log(ok, data.stdoutTail);`;
  const { stdout } = underShell(folder, ['--input-type=module', '-e', program], { PATH: process.env.PATH });
  expect([stdout.startsWith('true'), stdout.includes('->'), stdout.includes(folder)]).toEqual([true, true, false]);
});
