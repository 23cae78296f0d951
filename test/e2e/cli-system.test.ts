import { execFileSync, spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemdUnit } from '../../src/cli/service/service.ts';
import { checkSandbox } from '../../src/doctor/sandbox.ts';
import { handrail, newHome } from '../cli/rig.ts';
import { until } from '../desktop/processes.ts';

/** What bash offers for the words, the last of which is being typed. */
async function inBash(words: readonly string[]): Promise<string[]> {
  const { output } = await handrail(['completion', 'bash']);
  const script = `${output}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_handrail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-u', '-c', script], { encoding: 'utf8', cwd: newHome() }).trim().split('\n');
}

test.each([
  [
    ['handrail', 'st'],
    ['start', 'status'],
  ],
  [
    ['handrail', 'connect', 'cl'],
    ['claude-code', 'claude-desktop'],
  ],
  [['handrail', 'disconnect', 'v'], ['vscode']],
  [['handrail', 'screenshot', '--o'], ['--output']],
  [['handrail', 'task', ''], ['run']],
  [['handrail', 'service', 'install', '--p'], ['--print']],
  [['handrail', 'completion', 'f'], ['fish']],
  [
    ['handrail', 'status', '--'],
    ['--json', '--help'],
  ],
])('bash completes %j to %j', async (words, expected) => {
  expect(await inBash(words)).toEqual(expected);
});

test('bash completes every command', async () => {
  const names = await inBash(['handrail', '']);
  expect(names).toEqual(expect.arrayContaining(['start', 'connect', 'doctor', 'task', 'service', 'completion']));
  expect(names).not.toContain('task run');
});

/** Types a line with a Tab at its end into zsh, in a terminal of its own. Answers the words that `handrail` is then called with. */
async function inZsh(line: string): Promise<string> {
  const { output } = await handrail(['completion', 'zsh']);
  const home = newHome();
  writeFileSync(join(home, 'handrail.zsh'), output);
  const begin = `PS1= RPS1=; autoload -Uz compinit; compinit -u -d ${home}/dump; source ${home}/handrail.zsh; handrail() { print "CALLED""($*)" }; print RE""ADY`;
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb' };
  const shell = spawn('/usr/bin/script', ['-qfec', 'zsh -f -i', '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let text = '';
  shell.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  shell.stdin.write(`${begin}\n`);
  await until('zsh is ready', async () => text.includes('READY') || undefined);
  shell.stdin.write(`${line}\t\n`);
  return await until('zsh has called handrail', async () => /CALLED\((.*)\)/.exec(text)?.[1]);
}

test.each([
  ['handrail disc', 'disconnect'],
  ['handrail connect vs', 'connect vscode'],
  ['handrail screenshot --ou', 'screenshot --output'],
  ['handrail service un', 'service uninstall'],
])('zsh completes "%s" to "%s"', async (line, words) => {
  expect((await inZsh(line)).trim()).toBe(words);
});

test('fish reads its script without a fault, and completes a client', async () => {
  const { output } = await handrail(['completion', 'fish']);
  const home = newHome();
  writeFileSync(join(home, 'handrail.fish'), output);
  const asked = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source ${home}/handrail.fish; complete -C '${line}'`], {
      encoding: 'utf8',
      env: { ...process.env, HOME: home },
    });
  expect(asked('handrail connect vs')).toContain('vscode');
  expect(asked('handrail disc')).toContain('disconnect\t');
  expect(asked('handrail task ')).toContain('run\t');
});

/** A program whose path has everything that a unit could take for something else. */
const ODD = 'a b "c" %h $HOME \\d';

function verified(unit: string): string {
  const home = newHome();
  writeFileSync(join(home, 'handrail.service'), unit);
  return execFileSync('systemd-analyze', ['--user', 'verify', join(home, 'handrail.service')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home },
  });
}

test.each([true, false])('the unit passes systemd-analyze, with a display %s', (hasDisplay) => {
  const home = newHome();
  const command = join(home, 'my node %h $HOME');
  symlinkSync('/bin/true', command);
  const environment = { HANDRAIL_DATA_DIR: `/data/${ODD}` };
  const unit = systemdUnit({ command, args: ['--flag', `/x/${ODD}/headless.js`], environment, hasDisplay });
  expect(verified(unit)).toBe('');
  expect(unit).toContain(`WantedBy=${hasDisplay ? 'graphical-session.target' : 'default.target'}`);
});

test('a unit whose program is not there does not pass, so the check means something', () => {
  const unit = systemdUnit({ command: '/nowhere/node', args: [], environment: {}, hasDisplay: false });
  expect(() => verified(unit)).toThrow('is not executable');
});

test('the sandbox of this machine is tried, and can be made', async () => {
  expect(await checkSandbox({ platform: 'linux', environment: process.env })).toEqual([
    { check: 'sandbox', state: 'good', message: 'scripts can be run in it' },
  ]);
});
