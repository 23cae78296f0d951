import { readAccessibilitySwitch } from '../agent-host/accessibility-switch.ts';
import { needsVirtualDesktop } from '../agent-host/virtual-desktop/virtual-desktop.ts';
import { ACCESSIBILITY_COMMAND } from '../contract/accessibility-words.ts';
import type { Finding } from './finding.ts';

type Machine = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv };

const check = 'accessibility';

/** Whether apps on the person's own Linux desktop describe their windows. A Mac has a permission for that, and a virtual desktop has it on. */
export async function checkAccessibility({ platform, environment }: Machine): Promise<Finding[]> {
  if (platform !== 'linux' || needsVirtualDesktop(platform, environment)) return [];
  const state = await readAccessibilitySwitch(environment);
  if (state === 'on') return [{ check, state: 'good', message: 'it is on in this session' }];
  if (state === 'unknown')
    return [
      {
        check,
        state: 'note',
        message: 'The session does not tell whether accessibility is on.',
        remedy: 'Install at-spi2-core and dbus, and run this in a terminal of the desktop.',
      },
    ];
  return [
    {
      check,
      state: 'note',
      message: 'It is off in this session, so apps built on Chromium, Electron and Qt do not describe their windows.',
      remedy: `Switch it on at the dashboard, page Devices, or with \`${ACCESSIBILITY_COMMAND}\`; then start apps that are open again.`,
    },
  ];
}
