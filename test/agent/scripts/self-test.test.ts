import { chmodSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { testSandbox } from '../../../agent/scripts/run-in-sandbox.ts';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

/** Puts a program of the test before those of the system. */
function instead(name: string, ...lines: string[]): string {
  const path = `${rig.root}/${name}`;
  writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(path, 0o755);
  vi.stubEnv('PATH', `${rig.root}:${process.env.PATH}`);
  return path;
}

const mac = (sandboxExec: string) => ({ mac: { sandboxExec, osascript: '/bin/false', ps: 'ps' } });
const BECOMES = ['while [ "$1" != -p ]; do shift; done', 'shift 2'];

test('scripts of every language that is installed here work', async (context) => {
  skipWithout('Linux', context);
  expect(await testSandbox()).toBeUndefined();
});

test('a system without namespaces for users is named with the words of bubblewrap', async (context) => {
  skipWithout('Linux', context);
  instead('bwrap', 'echo "bwrap: setting up uid map: Permission denied" >&2', 'exit 1');
  expect(await testSandbox()).toBe(
    'A sh script that does nothing does not begin: bwrap: setting up uid map: Permission denied',
  );
});

test.each([
  ['without bubblewrap', 'sh: 1: exec: bwrap: not found', 127],
  ['without room for a process', 'bwrap: Creating new namespace failed: Resource temporarily unavailable', 1],
])('%s nothing is said here: another part says it, or it passes', async (_how, said, code) => {
  instead('bwrap', `echo "${said}" >&2`, `exit ${code}`);
  expect(await testSandbox()).toBeUndefined();
});

test('a language that is not installed is no failure', async () => {
  const sandboxExec = instead(
    'sandbox-exec',
    ...BECOMES,
    'case "$*" in *python3*) echo ready >&3; echo xcode-select: note >&2; exit 1;; esac',
    'exec "$@"',
  );
  // zsh, which is not installed here, ends with 127.
  expect(await testSandbox(mac(sandboxExec))).toBeUndefined();
});

test.each([
  ['before the script begins', 'kill -ABRT $$', 'A sh script that does nothing does not begin: ended by SIGABRT'],
  [
    'in the program of a language',
    'case "$*" in *--noprofile*) exec "$1" "$2" "echo ready >&3; kill -ABRT \\$\\$";; esac; exec "$@"',
    'A bash script that does nothing ends with code 134. ',
  ],
])('a program that the system aborts %s is named', async (_when, line, reason) => {
  expect(await testSandbox(mac(instead('sandbox-exec', ...BECOMES, line)))).toBe(reason);
});
