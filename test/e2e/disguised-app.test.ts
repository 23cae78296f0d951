import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

/** An app of the system, in a folder that is not the person's own, and one of the person's own. */
const ENTRIES: Record<'system' | 'own', Record<string, string[]>> = {
  system: {
    'Plain Terminal': ['Exec=xterm'],
    'Linked Notes': ['Exec=harmless-link'],
    'Env Notes': ['Exec=/usr/bin/env LANG=C harmless-link'],
    'Shell Notes': ['Exec=sh -c "true"'],
    'Category Notes': ['Exec=true', 'Categories=TerminalEmulator;'],
  },
  own: { 'Own Notes': ['Exec=true'] },
};

let folder: string;
let daemon: RunningDaemon;
let targetDeviceId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-disguised-'));
  for (const [place, entries] of Object.entries(ENTRIES)) writeEntries(join(folder, place, 'applications'), entries);
  mkdirSync(join(folder, 'bin'));
  symlinkSync('/usr/bin/xterm', join(folder, 'bin/harmless-link'));
  const { PATH: path = '' } = process.env;
  daemon = await startDaemonProcess({
    HOME: join(folder, 'own'),
    XDG_DATA_HOME: join(folder, 'own'),
    XDG_DATA_DIRS: `${join(folder, 'system')}:/usr/share`,
    PATH: `${join(folder, 'bin')}${delimiter}${path}`,
  });
  targetDeviceId = (await daemon.register()).id;
});

afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

function writeEntries(place: string, entries: Record<string, string[]>): void {
  mkdirSync(place, { recursive: true });
  for (const [name, lines] of Object.entries(entries)) {
    const text = ['[Desktop Entry]', 'Type=Application', `Name=${name}`, ...lines, ''].join('\n');
    writeFileSync(join(place, `${name.toLowerCase().replace(' ', '-')}.desktop`), text);
  }
}

function open(appName: string) {
  return daemon.submit({ targetDeviceId, actionType: 'OpenApp', parameters: { appName } });
}

describe('A13: the daemon judges the app behind the name and asks the person', () => {
  test.each([
    ['Linked Notes', 'high', /leads to “xterm”, which is a terminal/],
    ['Env Notes', 'high', /leads to “xterm”, which is a terminal/],
    ['Category Notes', 'high', /is a terminal, by its menu category TerminalEmulator/],
    ['Shell Notes', 'medium', /runs commands with sh/],
    ['Own Notes', 'medium', /has a desktop entry that any program of yours can change/],
  ])('%s asks at %s risk', async (appName, level, reason) => {
    const { body } = await open(appName);
    expect(body).toMatchObject({ status: 'awaiting_confirmation', risk: { level }, effect: 'none' });
    expect(body).toMatchObject({ risk: { reasons: expect.arrayContaining([expect.stringMatching(reason)]) } });
  });

  test.each(['LXTerminal', 'QTerminal', 'Black Box', 'GNOME Console', 'PowerShell', 'KeePass2', 'KWalletManager5'])(
    '%s is of high risk by its name alone, and fails without a prompt where it is not installed',
    async (appName) => {
      const { body } = await open(appName);
      expect(body).toMatchObject({ status: 'failed', risk: { level: 'high' }, error: { code: 'app_not_found' } });
    },
  );

  test('and none of them was opened', async () => {
    const described = await daemon.submit({ targetDeviceId, actionType: 'DescribeScreen', parameters: {} });
    expect(described.body).toMatchObject({ data: { windows: [] } });
  });

  test('an ordinary app of the system still opens at once', async () => {
    expect((await open('mousepad')).body).toMatchObject({ status: 'success', risk: { level: 'low' } });
  });
});
