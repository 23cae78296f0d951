import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { vi } from 'vitest';
import { runProgram } from '../../agent/drivers/exec.ts';
import { createMacosDriver } from '../../agent/drivers/macos/driver.ts';
import type { DriverHarness, MakeHarness, ShownApp } from '../agent/driver-contract.ts';
import { createFakeMac } from '../agent/macos/fake-mac.ts';
import { createFakePrograms } from '../agent/macos/fake-programs.ts';
import { application } from '../agent/macos/office.ts';
import { installBundle, openDocument } from './mac.ts';

const DOCUMENT_TEXT = 'Written in a document on a real Mac';
const PASSWORD = 'swordfish-on-a-mac';

/** This Mac for the suite of every driver; the terminal that runs it needs Screen Recording and Accessibility. */
export const makeThisMac: MakeHarness = async ({ screen }) => {
  if (screen === 'none') return withoutScreen();
  const started: string[] = [];
  const silent = installBundle({
    name: 'Handrail Silent',
    bundleId: 'test.handrail.silent',
    program: '#!/bin/sh\nexec /bin/sleep 600\n',
  });
  const broken = installBundle({ name: 'Handrail Broken', bundleId: 'test.handrail.broken', program: null });
  const document = openDocument(DOCUMENT_TEXT);
  const question = `display dialog "Handrail test" default answer "${PASSWORD}" with hidden answer giving up after 600`;
  const dialog = spawn('/usr/bin/osascript', ['-e', question], { stdio: 'ignore' });
  const driver = createMacosDriver({
    run: (request) => {
      if (request.program === '/usr/bin/open') started.push(request.args.join(' '));
      return runProgram(request);
    },
  });
  return {
    driver,
    app: { name: 'TextEdit', misspelled: 'TextEdti' },
    windowlessApp: 'Handrail Silent',
    brokenApp: 'Handrail Broken',
    documentText: DOCUMENT_TEXT,
    password: PASSWORD,
    showUnsavedApp: async () => {
      const unsaved = 'tell application "TextEdit" to make new document with properties {text:"never saved"}';
      spawnSync('/usr/bin/osascript', ['-e', unsaved]);
      return { name: 'TextEdit', end: async () => document.close() };
    },
    showDeafApp,
    startedPrograms: async () => started,
    leftovers: async () => readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-capture-')),
    dispose: async () => {
      dialog.kill();
      document.close();
      spawnSync('/usr/bin/osascript', ['-e', 'quit application id "test.handrail.silent"'], { timeout: 5_000 });
      silent.remove();
      broken.remove();
    },
  };
};

/** A Mac cannot be made to lose its screen, so this part runs on the Mac in memory here too. */
function withoutScreen(): DriverHarness {
  const mac = createFakeMac({ displays: [], session: null });
  mac.installed.push(application('/System/Applications/TextEdit.app', 'com.apple.TextEdit'));
  const programs = createFakePrograms(mac);
  return {
    driver: createMacosDriver({ run: programs.run, converse: programs.converse }),
    app: { name: 'TextEdit', misspelled: 'TextEdti' },
    windowlessApp: '',
    brokenApp: '',
    documentText: '',
    password: '',
    showUnsavedApp: notHere,
    showDeafApp: notHere,
    startedPrograms: async () => programs.started.filter(({ program }) => program === '/usr/bin/open').map(String),
    leftovers: async () => [],
    dispose: async () => undefined,
  };
}

/** A stopped process hears nothing until it is killed. */
async function showDeafApp(): Promise<ShownApp> {
  spawnSync('/usr/bin/open', ['-b', 'com.apple.calculator']);
  const pid = await vi.waitUntil(() => pidOf('Calculator'), { timeout: 10_000, interval: 50 });
  process.kill(pid, 'SIGSTOP');
  return { name: 'com.apple.calculator', end: async () => void process.kill(pid, 'SIGKILL') };
}

function pidOf(program: string): number {
  return Number(spawnSync('/usr/bin/pgrep', ['-x', program], { encoding: 'utf8' }).stdout.trim().split('\n')[0]);
}

async function notHere(): Promise<never> {
  throw new Error('there is no screen to show an app on');
}
