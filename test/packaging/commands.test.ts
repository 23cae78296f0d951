import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beforeBuild } from '../../src/packaging/before-build.ts';
import { APP_FOLDER } from '../../src/packaging/places.ts';
import { runScript } from './packing.ts';

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('npm run desktop says what to do where Electron is not here', async () => {
  const { code, errors } = await runScript('src/packaging/desktop.ts', [], {
    ELECTRON_OVERRIDE_DIST_PATH: folderOfTest(),
  });
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('npm run get-electron') });
});

test('npm run get-electron without a network names the address that it could not reach', async () => {
  const mirror = 'http://127.0.0.1:1/';
  const { code, errors } = await runScript('src/packaging/get-electron.ts', [], {
    npm_config_electron_mirror: mirror,
    ELECTRON_OVERRIDE_DIST_PATH: folderOfTest(),
    electron_config_cache: folderOfTest(),
  });
  const named = expect.stringContaining(`handrail: Electron could not be fetched from ${mirror} (`);
  expect({ code, errors }).toEqual({ code: 1, errors: named });
});

test('npm run desktop starts the bundle on Electron, hands its arguments over and ends with its code', async () => {
  const folder = folderOfTest();
  // On a Mac it goes through `open`: see open-on-mac.test.ts.
  const binary = join(folder, 'electron');
  writeFileSync(binary, '#!/bin/sh\nprintf "%s|" "$@" "as node: $ELECTRON_RUN_AS_NODE"\nexit 7\n', { mode: 0o755 });
  const settings = { ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_RUN_AS_NODE: '1' };
  const { code, output } = await runScript('src/packaging/desktop.ts', ['--review'], settings);
  expect({ code, output }).toEqual({ code: 7, output: `${APP_FOLDER}|--review|as node: |` });
});

test.each([
  { args: ['--arch', 'ppc'], problem: 'There is no architecture ppc.' },
  { args: ['--sign'], problem: "Unknown option '--sign'" },
])('npm run package refuses $args and shows what it knows', async ({ args, problem }) => {
  const { code, errors } = await runScript('src/packaging/package.ts', args);
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(problem) });
  expect(errors).toContain('--unsigned');
});

test('npm run package makes no disk image on Linux', async () => {
  const { code, errors } = await runScript('src/packaging/package.ts', []);
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('A disk image needs a Mac') });
});

test.each([
  { required: '', tally: '0 passed, 0 failed, 4 skipped', word: 'NOT RUN', code: 0 },
  { required: '1', tally: '0 passed, 4 failed', word: 'FAILED', code: 1 },
])('without Electron its tests are named; REQUIRE_ELECTRON=$required ends with $tally', async (expected) => {
  const settings = { ELECTRON_OVERRIDE_DIST_PATH: folderOfTest(), REQUIRE_ELECTRON: expected.required };
  const { code, output } = await runScript('test/run.ts', ['electron'], settings);
  const last = output.trim().split('\n').at(-1);
  expect({ code, last }).toEqual({ code: expected.code, last: expected.tally });
  expect(output).toMatch(new RegExp(`^${expected.word} +test/electron/boot.test.ts > the agent runs and answers`, 'm'));
});

test('electron-builder is told to install and compile nothing', async () => {
  expect(await beforeBuild()).toBe(false);
});
