import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createScriptCheck, scriptNeeds } from '../../src/agent-host/script-needs.ts';
import { skipWithout } from '../runner/skip-without.ts';

/** A folder with programs of these names. */
function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) add(folder, name);
  return folder;
}

function add(folder: string, name: string): void {
  writeFileSync(join(folder, name), '#!/bin/sh\n');
  chmodSync(join(folder, name), 0o755);
}

const linux = { platform: 'linux', asRoot: false } as const;

test('with all programs scripts are available, and nothing is missing', () => {
  const machine = { ...linux, path: folderWith('bwrap'), sandboxPath: folderWith('prlimit', 'python3') };
  expect(scriptNeeds(machine)).toEqual({ scripts: 'available', lines: [] });
});

test('each missing program is named in one sentence with the command that installs it', () => {
  const machine = { ...linux, path: folderWith(), sandboxPath: folderWith() };
  const install = 'apt-get install --yes --no-install-recommends';
  expect(scriptNeeds(machine)).toEqual({
    scripts: 'unavailable',
    lines: [
      `Scripts cannot run, because bubblewrap and prlimit are not installed. Install them: sudo ${install} bubblewrap util-linux`,
      `Python scripts cannot run, because python3 is not installed. Install it: sudo ${install} python3`,
    ],
  });
  expect(scriptNeeds({ ...machine, asRoot: true }).lines[1]).toContain(`Install it: ${install} python3`);
});

test('without Python the other scripts are available', () => {
  const machine = { ...linux, path: folderWith('bwrap'), sandboxPath: folderWith('prlimit') };
  expect(scriptNeeds(machine)).toMatchObject({ scripts: 'available', lines: [expect.stringContaining('python3')] });
});

test('where macOS has no sandbox-exec, scripts are unavailable', (context) => {
  skipWithout('Linux', context);
  const machine = { platform: 'darwin', asRoot: false, path: folderWith('bwrap') } as const;
  expect(scriptNeeds(machine)).toEqual({ scripts: 'unavailable', lines: [] });
});

test('what was installed meanwhile is found after ten seconds', () => {
  let nowMs = 0;
  const path = folderWith();
  const check = createScriptCheck({ ...linux, path, sandboxPath: folderWith('prlimit') }, () => nowMs);
  expect(check()).toBe('unavailable');
  add(path, 'bwrap');
  nowMs = 9_999;
  expect(check()).toBe('unavailable');
  nowMs = 10_000;
  expect(check()).toBe('available');
});
