import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { CallingProgram, ProgramProcess } from '../../src/contract/program.ts';
import { createCommandLineOf, createFindDashboard, familyOf } from '../../src/peers/dashboard-family.ts';

function program([own, ...startedBy]: [ProgramProcess, ...ProgramProcess[]]): CallingProgram {
  return { kind: 'program', uid: 1_000, ...own, startedBy };
}

const at = (pid: number, path: string): ProgramProcess => ({ pid, name: path.split('/').at(-1) ?? '', path });

const CHROME_APP = '/Applications/Google Chrome.app/Contents';
const HELPER = `${CHROME_APP}/Frameworks/Google Chrome Framework.framework/Helpers/Google Chrome Helper.app/Contents/MacOS/Google Chrome Helper`;

test('A20: the network process of a browser leads to the process that has its windows', () => {
  const chromium = '/usr/lib/chromium/chromium';
  const line = program([at(31, chromium), at(30, chromium), at(20, '/usr/bin/openbox'), at(10, chromium)]);
  expect(familyOf(line)).toEqual({ pids: [31, 30], names: ['chromium'] });
});

test('A20: a helper in the bundle of a Mac app belongs to the app, and a browser that was replaced is still the same one', () => {
  const chrome = program([at(31, HELPER), at(30, `${CHROME_APP}/MacOS/Google Chrome`), at(20, '/bin/zsh')]);
  expect(familyOf(chrome)).toEqual({ pids: [31, 30], names: ['Google Chrome'] });
  const replaced = program([at(31, '/opt/chrome/chrome'), at(30, '/opt/chrome/chrome (deleted)')]);
  expect(familyOf(replaced)?.pids).toEqual([31, 30]);
});

test('A20: the network process of WebKit leads to its parent, and on a Mac to the apps that use WebKit', () => {
  const epiphany = program([at(31, '/usr/lib/webkit/WebKitNetworkProcess'), at(30, '/usr/bin/epiphany')]);
  expect(familyOf(epiphany)).toEqual({ pids: [31, 30], names: ['epiphany'] });
  const path =
    '/System/Library/Frameworks/WebKit.framework/Versions/A/XPCServices/com.apple.WebKit.Networking.xpc/Contents/MacOS/com.apple.WebKit.Networking';
  expect(familyOf(program([at(31, path)]))).toMatchObject({ pids: [31], isByName: true });
});

test('A20: a browser of Flatpak counts by its name, and one of Snap also by the name of the snap', () => {
  const flatpak = program([at(31, '/app/extra/chrome'), at(30, '/app/extra/chrome'), at(29, '/usr/bin/bwrap')]);
  expect(familyOf(flatpak)).toEqual({ pids: [31, 30], names: ['chrome'], isByName: true });
  const snap = program([at(31, '/snap/chromium/3/usr/lib/chromium-browser/chrome'), at(20, '/usr/bin/gnome-shell')]);
  expect(familyOf(snap)?.names).toEqual(['chrome', 'chromium']);
});

test('a program of the command line stays alone, and one that is not named has no family', () => {
  expect(familyOf(program([at(31, '/usr/bin/curl'), at(30, '/usr/bin/bash')]))?.pids).toEqual([31]);
  expect(familyOf({ kind: 'unknown', because: 'it has ended' })).toBeUndefined();
});

test("Handrail's own window is known by its profile, as a whole argument of its command line", async () => {
  const profile = '--user-data-dir=/data of ann/browser-profile';
  const find = createFindDashboard(createCommandLineOf(process.platform), profile);
  const started = (argument: string) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', argument]);
    onTestFinished(() => void child.kill());
    return find(program([at(child.pid ?? 0, process.execPath)]));
  };
  // The system shows the arguments once the program runs.
  await expect.poll(async () => (await started(profile))?.isOwnWindow, { timeout: 30_000 }).toBe(true);
  expect((await started(`${profile}-of-another`))?.isOwnWindow).toBe(false);
});
