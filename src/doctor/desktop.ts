import { createConnection } from 'node:net';
import { readAccessibilitySwitch } from '../agent-host/accessibility-switch.ts';
import { installCommand, missingNeeds } from '../agent-host/virtual-desktop/programs.ts';
import { needsVirtualDesktop, VIRTUAL_DESKTOP_NEEDS } from '../agent-host/virtual-desktop/virtual-desktop.ts';
import { ACCESSIBILITY_COMMAND } from '../contract/accessibility-words.ts';
import type { Finding } from './finding.ts';

type Machine = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; asRoot: boolean };

const DISPLAY = 'display';
const X_PORT = 6_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** Whether there is a desktop that the agent can work on. */
export async function checkDisplay({ platform, environment, asRoot }: Machine): Promise<Finding[]> {
  if (platform === 'darwin') return [{ check: DISPLAY, state: 'good', message: 'the desktop of this Mac' }];
  const { DISPLAY: display = '', WAYLAND_DISPLAY: wayland = '', PATH: path = '' } = environment;
  if (needsVirtualDesktop(platform, environment)) {
    const missing = missingNeeds(VIRTUAL_DESKTOP_NEEDS, path);
    const names = missing.map(({ name }) => name).join(', ');
    if (missing.length === 0)
      return [
        { check: DISPLAY, state: 'note', message: 'There is no DISPLAY, so Handrail makes a private virtual desktop.' },
      ];
    return [
      {
        check: DISPLAY,
        state: 'problem',
        message: `There is no DISPLAY, and a virtual desktop lacks ${names}.`,
        remedy: `Start Handrail from a desktop session, or install them: ${installCommand(missing, { asRoot })}`,
      },
    ];
  }
  if (display === '' && wayland !== '')
    return [
      {
        check: DISPLAY,
        state: 'problem',
        message: 'This is a Wayland session without X11.',
        remedy: 'Sign in with a session on Xorg, or start Xwayland and set DISPLAY.',
      },
    ];
  if (await answers(display)) return [{ check: DISPLAY, state: 'good', message: `the X11 display ${display}` }];
  return [
    {
      check: DISPLAY,
      state: 'problem',
      message: `No X server answers at DISPLAY=${display}.`,
      remedy: 'Start Handrail from a desktop session, or unset DISPLAY to get a private virtual desktop.',
    },
  ];
}

/** Whether something listens where a display such as `:1` or `host:0.0` says. */
function answers(display: string): Promise<boolean> {
  const [, host = '', number = ''] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === '') return Promise.resolve(false);
  const isLocal = host === '' || host === 'unix';
  const socket = createConnection(
    isLocal ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: X_PORT + Number(number) },
  );
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy());
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

type AccessibilityMachine = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv };

const ACCESSIBILITY = 'accessibility';
const ACCESSIBILITY_NEEDS = VIRTUAL_DESKTOP_NEEDS.filter(({ name }) =>
  ['at-spi-bus-launcher', 'dbus-send'].includes(name),
);

/** Whether apps on the person's own Linux desktop describe their windows. A Mac has a permission for that, and a virtual desktop has it on. */
export async function checkAccessibility({ platform, environment }: AccessibilityMachine): Promise<Finding[]> {
  if (platform !== 'linux' || needsVirtualDesktop(platform, environment)) return [];
  const state = await readAccessibilitySwitch(environment);
  const missing = missingNeeds(ACCESSIBILITY_NEEDS, environment.PATH ?? '').map((need) => need.package);
  if (state === 'on') return [{ check: ACCESSIBILITY, state: 'good', message: 'it is on in this session' }];
  if (state === 'unknown')
    return [
      {
        check: ACCESSIBILITY,
        state: 'note',
        message: 'The session does not tell whether accessibility is on.',
        remedy: `${missing.length === 0 ? '' : `Install ${missing.join(' and ')}. `}Run this in a terminal of the desktop: this one may be outside of its session bus (DBUS_SESSION_BUS_ADDRESS).`,
      },
    ];
  return [
    {
      check: ACCESSIBILITY,
      state: 'note',
      message: 'It is off in this session, so apps built on Chromium, Electron and Qt do not describe their windows.',
      remedy: `Switch it on at the dashboard, page Devices, or with \`${ACCESSIBILITY_COMMAND}\`; then start apps that are open again.`,
    },
  ];
}
