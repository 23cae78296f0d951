import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, expect, test, vi } from 'vitest';
import { converse } from '../../agent/drivers/converse.ts';
import { runProgram } from '../../agent/drivers/exec.ts';
import { createApplications } from '../../agent/drivers/macos/applications.ts';
import { type DesktopState, readDesktop } from '../../agent/drivers/macos/desktop-state.ts';
import { openerOf } from '../../agent/drivers/macos/input/driver.ts';
import { frontApp } from '../../agent/drivers/macos/open-app.ts';
import { runScript } from '../../agent/drivers/macos/run-script.ts';
import { createScriptReader } from '../../agent/drivers/macos/script-reader.ts';
import { recorded } from '../agent/macos/recordings.ts';

/** Whether macOS is what the recordings and the Mac in memory take it to be. Run where `process.platform` is darwin. */

const folder = mkdtempSync(join(tmpdir(), 'handrail-system-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PARTS = ['displays', 'windows', 'apps', 'session', 'permissions'] as const;

async function outputOf(program: string, args: readonly string[]) {
  const result = await runProgram({ program, args, timeoutMs: 15_000 });
  if (result.kind !== 'exited') throw new Error(`${program} did not exit: ${result.kind}`);
  return result;
}

/** Assumed without a Mac: that AppKit, the window server and TCC answer the scripting bridge as the Mac in memory does. */
test('desktop.js reads every part on a real Mac', async () => {
  const state = await readDesktop(runProgram, { parts: PARTS });
  if (!state.ok) throw new Error(state.message);
  expect(state.data.errors).toEqual({});
  expect(state.data.displays.filter((display) => display.primary)).toHaveLength(1);
  expect(state.data.apps.map((app) => app.bundleId)).toContain('com.apple.finder');
  expect(Object.values(state.data.grants).map((grant) => typeof grant)).toEqual(['boolean', 'boolean', 'number']);
});

/**
 * Assumed without a Mac: that a script may read its input line by line and evaluate another one, and that a turn of the run loop renews the apps.
 */
test('reader.js answers several calls as a process for each call does, and sees an app that started meanwhile', async () => {
  const reader = createScriptReader(() => Promise.resolve({ kind: 'not_started', reason: 'the old way' }), converse);
  const look = async (run = reader.run) => {
    const state = await readDesktop(run, { parts: ['displays', 'windows', 'apps', 'session'] });
    if (!state.ok) throw new Error(state.message);
    return state.data;
  };
  const isRunning = ({ apps }: DesktopState) => apps.some(({ bundleId }) => bundleId === 'com.apple.calculator');
  const [one, other] = [await look(), await look(runProgram)];
  expect([one.displays, one.session, one.errors]).toEqual([other.displays, other.session, other.errors]);
  const seen: boolean[] = [isRunning(one)];
  await outputOf('/usr/bin/open', ['-g', '-b', 'com.apple.calculator']);
  await vi.waitFor(async () => expect(isRunning(await look(runProgram))).toBe(true), 10_000);
  seen.push(isRunning(await look()));
  await outputOf('/usr/bin/killall', ['Calculator']);
  await vi.waitFor(async () => expect(isRunning(await look(runProgram))).toBe(false), 10_000);
  seen.push(isRunning(await look()));
  reader.close();
  expect(seen).toEqual([false, true, false]);
});

/** Assumed without a Mac: that `CGRequestScreenCaptureAccess` of a child puts the app into the list, and opens one dialog at most. */
test('request-capture.js asks for Screen Recording without a picture', async () => {
  const script = fileURLToPath(new URL('../../agent/drivers/macos/scripts/request-capture.js', import.meta.url));
  const request = JSON.stringify({ permission: 'screenRecording' });
  const { exitCode, stdout } = await outputOf('/usr/bin/osascript', ['-l', 'JavaScript', script, request]);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { granted: expect.any(Boolean) }]);
});

/** Assumed without a Mac: where this version of macOS keeps its own apps, and how it calls them in the language of the person. */
test('installed-apps.js finds Safari in its Cryptex, the Finder, and the apps of the system', async () => {
  const apps = await createApplications(runProgram, () => 0).list({ maxAgeMs: 0 });
  const ids = apps.map((app) => app.bundleId);
  expect(ids).toEqual(
    expect.arrayContaining(['com.apple.Safari', 'com.apple.finder', 'com.apple.TextEdit', 'com.apple.Terminal']),
  );
});

/** Assumed without a Mac: that `URLForApplicationToOpenURL` answers the bridge for an address that is never opened, and with which path. */
test('address-opener.js names an installed app for the addresses of the web', async () => {
  const applications = createApplications(runProgram, () => 0);
  const signal = AbortSignal.timeout(10_000);
  const opener = await openerOf('https', { run: runProgram, applications, signal });
  const installed = await applications.list({ maxAgeMs: 0 });
  expect(installed.map(({ bundleId }) => bundleId)).toContain(opener?.app.bundleId);
});

/** Assumed without a Mac: that Vision can be driven by the bridge, what it reads and how long it takes. */
test('recognize-text.js reads a picture with Vision', async () => {
  const path = join(folder, 'picture.png');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="white"/>' +
    '<text x="40" y="60" font-family="Helvetica" font-size="40">HANDRAIL 4711</text></svg>';
  await sharp(Buffer.from(svg)).png().toFile(path);
  const answer = await runScript(runProgram, {
    script: 'recognize-text',
    request: { path },
    answer: Compile(
      Type.Object({
        lines: Type.Array(
          Type.Object({ text: Type.String(), confidence: Type.Number(), box: Type.Object({ y: Type.Number() }) }),
        ),
      }),
    ),
    timeoutMs: 30_000,
  });
  if (!answer.ok) throw new Error(answer.message);
  const line = answer.data.lines.find(({ text }) => text.includes('4711'));
  expect(line?.text).toContain('HANDRAIL');
  // Near the top, which Vision counts from the bottom.
  expect(line?.box.y).toBeLessThan(0.5);
});

/** Assumed without a Mac: whether `open` still says in this version what was recorded for apps it does not know. */
test.each([
  ['open-unknown-name', '/usr/bin/open', ['-a', 'NoSuchAppOfHandrail'], { name: 'NoSuchAppOfHandrail' }],
  ['open-unknown-bundle-id', '/usr/bin/open', ['-b', 'example.no-such-app'], { bundleId: 'example.no-such-app' }],
] as const)('%s is what macOS prints', async (name, program, args, values) => {
  const { exitCode, stderr } = await outputOf(program, args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: recorded(name, values) });
});

/** Assumed without a Mac: whether `screencapture` still says in this version what was recorded, and its exit code. */
test('a window that does not exist is refused by screencapture as recorded', async () => {
  const { exitCode, stderr } = await outputOf('/usr/sbin/screencapture', [
    '-x',
    '-o',
    '-l4294967290',
    join(folder, 'x.png'),
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: recorded('screencapture-window-refused') });
});

/** Assumed without a Mac: what osascript puts before the error of a script, and its exit code. */
test('an error in a script reads as recorded', async () => {
  const { exitCode, stderr } = await outputOf('/usr/bin/osascript', ['-l', 'JavaScript', '-e', 'nowhere.at.all']);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/execution error: Error.*ReferenceError: Can't find variable: nowhere \(-2700\)/);
});

/** Assumed without a Mac: that `lsappinfo info` knows the serial number `lsappinfo front` gave, which macOS 14.0 is said not to do. */
test('lsappinfo names the same front app as AppKit', async () => {
  const [front, state] = await Promise.all([
    frontApp(runProgram, new AbortController().signal),
    readDesktop(runProgram, { parts: ['apps'] }),
  ]);
  if (!state.ok) throw new Error(state.message);
  const expected = state.data.apps.find((app) => app.frontmost);
  expect(front).toMatchObject({ bundleId: expected?.bundleId, pid: expected?.pid });
});
