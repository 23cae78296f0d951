import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { risksOf } from '../../../agent/drivers/apps/resolved-risk.ts';
import { type DesktopEntry, parseDesktopEntry } from '../../../agent/drivers/linux/desktop-entries.ts';
import { identityOfEntry } from '../../../agent/drivers/linux/entry-risks.ts';
import { skipWithout } from '../../runner/skip-without.ts';

const SYSTEM_ENTRY = '/usr/share/applications/tool.desktop';

let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-identity-'));
  for (const name of ['bin', 'home', 'home/bin']) mkdirSync(join(folder, name));
  for (const name of ['xterm', 'plain-tool', 'home/bin/own-tool']) program(name.includes('/') ? name : `bin/${name}`);
  link('bin/notes', join(folder, 'bin/xterm'));
  link('bin/nested', join(folder, 'bin/notes'));
  link('bin/x-terminal-emulator', '/etc/alternatives/x-terminal-emulator');
  link('bin/calculator', '/bin/sh');
  environment = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: join(folder, 'home') };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string): void {
  writeFileSync(join(folder, path), '#!/bin/true\n', { mode: 0o755 });
}

function link(path: string, target: string): void {
  symlinkSync(target, join(folder, path));
}

function entry(lines: readonly string[], path = SYSTEM_ENTRY, id = 'tool'): DesktopEntry {
  const usual = lines.some((line) => line.startsWith('Categories=')) ? [] : ['Categories=Utility;'];
  const text = ['[Desktop Entry]', 'Type=Application', 'Name=Tool', ...usual, ...lines].join('\n');
  const parsed = parseDesktopEntry({ id, path, text }, 'C');
  if (parsed.kind !== 'application') throw new Error(`no application: ${text}`);
  return parsed.entry;
}

async function risksOfEntry(lines: readonly string[], path?: string): Promise<string[]> {
  const risks = risksOf(await identityOfEntry(entry(lines, path), environment));
  return risks.map(({ level, reason }) => `${level}: ${reason}`);
}

const CHANGEABLE_PROGRAM = 'medium: “Tool” runs a file that any program of yours can change.';

/** The program of these tests belongs to the user who runs them, so it is a program of the system only for root. */
const OF_ITS_OWNER = process.getuid?.() === 0 ? [] : [CHANGEABLE_PROGRAM];

describe('A13: a terminal is found', () => {
  test.each([
    ['as itself', 'Exec=xterm', 'xterm'],
    ['behind a link', 'Exec=notes', 'xterm'],
    ['behind a link to a link', 'Exec=nested %F', 'xterm'],
    ['behind env', 'Exec=env notes', 'xterm'],
    ['behind env with settings and options', 'Exec=/usr/bin/env -u LANG GDK_SCALE=2 notes -T Notes', 'xterm'],
    ['behind the alternatives of Debian', 'Exec=x-terminal-emulator', 'x-terminal-emulator'],
    ['inside a shell line', `Exec=sh -c "exec notes -e id"`, 'xterm'],
  ])('%s', async (_where, exec, name) => {
    expect(await risksOfEntry([exec])).toContain(`high: “Tool” leads to “${name}”, which is a terminal.`);
  });

  test('behind a link that is named by its path', async () => {
    expect(await risksOfEntry([`Exec=${join(folder, 'bin/notes')}`])).toContain(
      'high: “Tool” leads to “xterm”, which is a terminal.',
    );
  });

  test('by its menu category, under any name', async () => {
    expect(await risksOfEntry(['Exec=plain-tool', 'Categories=System;TerminalEmulator;'])).toEqual([
      'high: “Tool” is a terminal, by its menu category TerminalEmulator.',
      ...OF_ITS_OWNER,
    ]);
  });

  test.each([
    ['RemoteAccess', 'a remote-desktop tool'],
    ['Settings', 'part of the system settings'],
  ])('and so are other sensitive apps by the menu category %s', async (category, kind) => {
    expect(await risksOfEntry(['Exec=plain-tool', `Categories=Utility;${category};`])).toEqual([
      `high: “Tool” is ${kind}, by its menu category ${category}.`,
    ]);
  });

  test.each([
    ['generic name', 'GenericName=Terminal', 'Terminal'],
    ['window class', 'StartupWMClass=XTerm', 'XTerm'],
    ['program that has to be there', 'TryExec=/usr/bin/xterm', 'xterm'],
  ])('by the %s of its entry', async (_what, line, name) => {
    expect(await risksOfEntry(['Exec=plain-tool', line])).toEqual([
      `high: “Tool” leads to “${name}”, which is a terminal.`,
    ]);
  });

  test('by the name of its desktop entry', async () => {
    const tool = entry(['Exec=plain-tool'], '/usr/share/applications/org.kde.konsole.desktop', 'org.kde.konsole');
    expect(risksOf(await identityOfEntry(tool, environment)).map(({ reason }) => reason)).toEqual([
      '“Tool” leads to “org.kde.konsole”, which is a terminal.',
    ]);
  });

  test('where the app runs in one', async () => {
    expect(await risksOfEntry(['Exec=plain-tool', 'Terminal=true'])).toEqual([
      'high: “Tool” runs in a terminal.',
      ...OF_ITS_OWNER,
    ]);
  });
});

const ownerOf = (exec: string) => (exec.includes('plain-tool') ? OF_ITS_OWNER : []);

const ARGUMENTS = 'medium: “Tool” gives its program arguments of its own.';

describe('A13: an entry that runs commands is at least medium risk', () => {
  test.each([
    ['a shell line', `Exec=sh -c "plain-tool"`, 'sh'],
    ['a shell by its path', `Exec=/bin/bash -c plain-tool`, 'bash'],
    ['a shell behind a link', 'Exec=calculator -c plain-tool', 'sh'],
    ['a shell behind env', 'Exec=env sh -c plain-tool', 'sh'],
    ['Python', `Exec=python3 -c "import os"`, 'python3'],
    ['Perl', 'Exec=perl -e 1', 'perl'],
  ])('%s', async (_what, exec, name) => {
    expect(await risksOfEntry([exec])).toEqual([
      `medium: “Tool” runs commands with ${name}.`,
      ARGUMENTS,
      ...ownerOf(exec),
    ]);
  });

  test.each([
    ['gtk-launch', 'Exec=gtk-launch another'],
    ['pkexec', 'Exec=pkexec plain-tool'],
  ])('%s, which starts what its arguments name', async (name, exec) => {
    expect(await risksOfEntry([exec])).toEqual([
      `medium: “Tool” starts another program with ${name}.`,
      ARGUMENTS,
      ...ownerOf(exec),
    ]);
  });

  test('one without a command, which D-Bus starts', async () => {
    const [risk] = await risksOfEntry(['DBusActivatable=true']);
    expect(risk).toMatch(/^medium: “Tool” is started over D-Bus/);
  });
});

describe('A13: an app that any program of the person can change is at least medium risk', () => {
  const CHANGEABLE_ENTRY = 'medium: “Tool” has a desktop entry that any program of yours can change.';

  test('an entry in the home folder', async () => {
    const path = join(folder, 'home/.local/share/applications/tool.desktop');
    expect(await risksOfEntry(['Exec=plain-tool'], path)).toEqual([CHANGEABLE_ENTRY, ...OF_ITS_OWNER]);
  });

  test('an entry in XDG_DATA_HOME', async () => {
    const data = join(folder, 'data');
    const identity = await identityOfEntry(entry(['Exec=plain-tool'], join(data, 'applications/tool.desktop')), {
      ...environment,
      XDG_DATA_HOME: data,
    });
    expect(identity.risks?.map(({ reason }) => `medium: ${reason}`)).toEqual([CHANGEABLE_ENTRY, ...OF_ITS_OWNER]);
  });

  test('a system entry that is a link into the home folder', async () => {
    writeFileSync(join(folder, 'home/real.desktop'), '');
    link('linked.desktop', join(folder, 'home/real.desktop'));
    expect(await risksOfEntry(['Exec=plain-tool'], join(folder, 'linked.desktop'))).toEqual([
      CHANGEABLE_ENTRY,
      ...OF_ITS_OWNER,
    ]);
  });

  test('a program in the home folder, also behind a link', async () => {
    link('bin/installed', join(folder, 'home/bin/own-tool'));
    expect(await risksOfEntry([`Exec=${join(folder, 'home/bin/own-tool')}`])).toEqual([CHANGEABLE_PROGRAM]);
    expect(await risksOfEntry(['Exec=installed'])).toEqual([CHANGEABLE_PROGRAM]);
  });

  test('a program that everybody may write, or whose folder everybody may write', async () => {
    program('bin/loose');
    chmodSync(join(folder, 'bin/loose'), 0o777);
    expect(await risksOfEntry(['Exec=loose'])).toEqual([CHANGEABLE_PROGRAM]);
    mkdirSync(join(folder, 'open'));
    program('open/tool');
    chmodSync(join(folder, 'open'), 0o777);
    expect(await risksOfEntry([`Exec=${join(folder, 'open/tool')}`])).toEqual([CHANGEABLE_PROGRAM]);
  });

  test('a program that belongs to somebody else than root', async (context) => {
    skipWithout('root', context);
    program('bin/foreign');
    chownSync(join(folder, 'bin/foreign'), 1_000, 1_000);
    expect(await risksOfEntry(['Exec=foreign'])).toEqual([CHANGEABLE_PROGRAM]);
  });
});

describe('A13: power, session, disk and package tools are high risk', () => {
  test.each([
    ['Exec=systemctl poweroff', 'systemctl', 'stops the computer or its services'],
    ['Exec=/usr/bin/systemctl reboot', 'systemctl', 'stops the computer or its services'],
    ['Exec=env A=1 systemctl poweroff', 'systemctl', 'stops the computer or its services'],
    ['Exec=sh -c "sleep 1;poweroff"', 'poweroff', 'stops the computer or its services'],
    ['Exec=sh -c "sleep 1 && /sbin/reboot -f"', 'reboot', 'stops the computer or its services'],
    ['Exec=busybox halt', 'halt', 'stops the computer or its services'],
    ['Exec=pkexec shutdown now', 'shutdown', 'stops the computer or its services'],
    ['Exec="systemctl" "poweroff"', 'systemctl', 'stops the computer or its services'],
    ['Exec=flatpak-spawn --host killall5', 'killall5', 'ends sessions or programs'],
    ['Exec=loginctl terminate-user ann', 'loginctl', 'ends sessions or programs'],
    ['Exec=gnome-session-quit --logout', 'gnome-session-quit', 'ends sessions or programs'],
    ['Exec=pkill -9 mousepad', 'pkill', 'ends sessions or programs'],
    ['Exec=dd if=/dev/zero of=/dev/sda', 'dd', 'changes disks or deletes files'],
    ['Exec=rm -rf /home/ann', 'rm', 'changes disks or deletes files'],
    ['Exec=mkfs.ext4 /dev/sda1', 'mkfs.ext4', 'changes disks or deletes files'],
    ['Exec=apt-get remove mousepad', 'apt-get', 'installs or removes programs'],
    ['Exec=flatpak uninstall org.example.App', 'flatpak', 'installs or removes programs'],
    ['Exec=plain-tool --command=poweroff', 'poweroff', 'stops the computer or its services'],
  ])('%s', async (exec, name, effect) => {
    expect(await risksOfEntry([exec])).toContain(`high: “Tool” runs ${name}, which ${effect}.`);
  });

  test('behind a link', async () => {
    link('bin/cleaner', '/bin/rm');
    expect(await risksOfEntry(['Exec=cleaner'])).toContain(
      'high: “Tool” runs rm, which changes disks or deletes files.',
    );
  });

  test.each(['org.freedesktop.login1.Manager.PowerOff', 'org.gnome.SessionManager.Logout', 'org.kde.Shutdown'])(
    'by a message over D-Bus: %s',
    async (method) => {
      expect(await risksOfEntry([`Exec=dbus-send --system --dest=x /a ${method}`])).toContain(
        `high: “Tool” calls ${method}, which ends sessions or stops the computer.`,
      );
    },
  );
});

describe('A13: an entry that is not that of a usual app is at least medium risk', () => {
  test.each([
    ['is not meant for menus', ['Exec=gnome-calculator', 'NoDisplay=true'], 'is not meant to be opened from a menu'],
    ['has no category', ['Exec=gnome-calculator', 'Categories='], 'has no main menu category'],
    ['has only other categories', ['Exec=gnome-calculator', 'Categories=GTK;X-Utility;'], 'has no main menu category'],
  ])('one that %s', async (_title, lines, what) => {
    expect(await risksOfEntry(lines)).toEqual([`medium: “Tool” ${what}.`]);
  });

  test.each([
    'Exec=vim -c quit',
    'Exec=gvim -c "!touch /tmp/a"',
    'Exec=gdb -ex run',
    'Exec=git -c core.pager=sh log',
    'Exec=make -f /srv/Makefile',
    'Exec=crontab -r',
    'Exec=tar cf /tmp/a.tar /home',
    'Exec=timeout 5 gnome-calculator',
    'Exec=env -u LANG gnome-calculator',
    'Exec=env LD_PRELOAD=/srv/a.so gnome-calculator',
    'Exec=gnome-calculator %F --more',
    'Exec=gnome-calculator a%F',
    'Exec=flatpak run --command=plain-tool org.example.App -x',
  ])('one with arguments of its own: %s', async (exec) => {
    expect(await risksOfEntry([exec])).toContain(ARGUMENTS);
  });

  test('one whose command cannot be read', async () => {
    expect(await risksOfEntry(['Exec=gnome-calculator "'])).toContain(
      'medium: “Tool” has a command that cannot be read.',
    );
  });

  test('an app of Flatpak whose command is a shell', async () => {
    expect(await risksOfEntry(['Exec=/usr/bin/flatpak run --branch=stable --command=bash org.example.App'])).toContain(
      'medium: “Tool” runs commands with bash.',
    );
  });
});

test.each([
  'Exec=mousepad %U',
  'Exec=gnome-calculator',
  'Exec="gnome-calculator" %i %f',
  'Exec=/usr/bin/env GDK_SCALE=2 gnome-calculator',
  'Exec=env BAMF_DESKTOP_FILE_HINT=/var/lib/snapd/a.desktop /snap/bin/gnome-calculator %u',
  'Exec=/usr/bin/flatpak run --branch=stable --arch=x86_64 --command=gnome-calculator --file-forwarding org.gnome.Calculator @@u %U @@',
])('an ordinary app of the system is low risk: %s', async (exec) => {
  expect(await risksOfEntry([exec])).toEqual([]);
});
