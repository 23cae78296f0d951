import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENTS } from '../../renderer/src/connect/clients.ts';
import { CLIENTS as KNOWN_CLIENTS } from '../../src/cli/connect/clients.ts';
import { connectCommand } from '../../src/daemon/daemon.ts';

/** An installation in a folder with a name that a shell would split, and a folder of programs. */
function install() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "handrail connect's-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const commandFile = join(folder, 'src/launch/handrail.cjs');
  mkdirSync(join(folder, 'src/launch'), { recursive: true });
  writeFileSync(
    commandFile,
    '#!/usr/bin/env node\nconst { HANDRAIL_DATA_DIR, HANDRAIL_PORT } = process.env;\nconsole.log(JSON.stringify([process.argv.slice(2), HANDRAIL_DATA_DIR, HANDRAIL_PORT]));\n',
    { mode: 0o755 },
  );
  const programs = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    symlinkSync(commandFile, join(path, 'handrail'));
    return path;
  };
  return { folder, commandFile, programs };
}

function runInShell(command: string | undefined, PATH: string): unknown {
  const path = `${PATH}:${process.env.PATH}`;
  return JSON.parse(
    execFileSync('/bin/sh', ['-c', `${command} claude-code`], { cwd: '/', env: { PATH: path } }).toString(),
  );
}

test('a shell runs the command as it is shown, with the settings of the daemon', () => {
  const { folder, commandFile } = install();
  const environment = { HANDRAIL_DATA_DIR: join(folder, '$HOME `x`'), HANDRAIL_PORT: '3002', PATH: '/usr/bin:/bin' };
  const command = connectCommand({ commandFile, environment });
  expect(command).toContain(' node ');
  expect(runInShell(command, '/usr/bin:/bin')).toEqual([['connect', 'claude-code'], join(folder, '$HOME `x`'), '3002']);
});

test('a data directory is named by its absolute path, since the command runs in another folder', () => {
  const { commandFile } = install();
  const command = connectCommand({ commandFile, environment: { HANDRAIL_DATA_DIR: 'here', HANDRAIL_PORT: '' } });
  expect(runInShell(command, '')).toEqual([['connect', 'claude-code'], join(process.cwd(), 'here'), null]);
});

test('a Handrail that is installed for the whole account is called by its name', () => {
  const { commandFile, programs } = install();
  const PATH = programs('bin');
  const command = connectCommand({ commandFile, environment: { PATH } });
  expect(command).toBe('handrail connect');
  expect(runInShell(command, PATH)).toEqual([['connect', 'claude-code'], null, null]);
});

test('a name that only npx knows, or that runs another Handrail, is not used', () => {
  const { commandFile, programs } = install();
  const other = install();
  const ofNpx = connectCommand({ commandFile, environment: { PATH: programs('node_modules/.bin') } });
  const ofOther = connectCommand({ commandFile, environment: { PATH: `${other.programs('bin')}:${programs('bin')}` } });
  expect([ofNpx, ofOther].map((command) => command?.startsWith("node '"))).toEqual([true, true]);
  expect(runInShell(ofNpx, '')).toEqual([['connect', 'claude-code'], null, null]);
});

test('a Handrail without its command line has no such command', () => {
  expect(connectCommand({ commandFile: '/nowhere/src/launch/handrail.cjs', environment: {} })).toBeUndefined();
});

test('the page offers the clients that the command line knows, under the same names', () => {
  const names = (clients: readonly { name: string; title: string }[]) =>
    clients.map(({ name, title }) => ({ name, title }));
  expect(names(CLIENTS)).toEqual(names(KNOWN_CLIENTS));
});
