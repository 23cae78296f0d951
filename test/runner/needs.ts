import { spawnSync } from 'node:child_process';
import { installCommand, missingNeeds, type SystemNeed } from '../../src/agent-host/virtual-desktop/programs.ts';
import { VIRTUAL_DESKTOP_NEEDS } from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

/** What the desktop and browser tests use, apart from what npm brings. */
export const TEST_NEEDS: readonly SystemNeed[] = [
  ...VIRTUAL_DESKTOP_NEEDS,
  ...[
    'xterm',
    'mousepad',
    'gnome-calculator',
    'chromium',
    'chromium-headless-shell',
    'wmctrl',
    'xdotool',
    'xinput',
    'zenity',
    'dunst',
    'curl',
  ].map(programOfItsOwnPackage),
  ...['xprop', 'xwininfo', 'xdpyinfo'].map((name) => ({ name, package: 'x11-utils', anyOf: [name] })),
  { name: 'bubblewrap', package: 'bubblewrap', anyOf: ['bwrap'] },
  ...['zsh', 'fish'].map(programOfItsOwnPackage),
  { name: 'systemd-analyze', package: 'systemd', anyOf: ['systemd-analyze'] },
  { name: 'ssh', package: 'openssh-client', anyOf: ['ssh'] },
  { name: 'sshd', package: 'openssh-server', anyOf: ['/usr/sbin/sshd'] },
  { name: 'ps', package: 'procps', anyOf: ['ps'] },
  { name: 'xrandr', package: 'x11-xserver-utils', anyOf: ['xrandr'] },
  { name: 'ImageMagick', package: 'imagemagick', anyOf: ['import'] },
  {
    name: 'a TrueType font',
    package: 'fonts-dejavu-core',
    anyOf: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', '/usr/share/fonts/TTF/DejaVuSans.ttf'],
  },
];

export type Machine = {
  environment: NodeJS.ProcessEnv;
  asRoot: boolean;
  /** Whether it is a Debian or a relative, where apt-get installs things. */
  isDebian: boolean;
};

/**
 * Sees to it that the machine has what the tests use: as root on Debian by installing it, with apt-get's output shown.
 * Answers what to tell the person when it has not; `null` when the tests can start.
 */
export function provideNeeds(needs: readonly SystemNeed[], machine: Machine): string | null {
  const { environment, asRoot, isDebian } = machine;
  const missing = missingNeeds(needs, environment.PATH ?? '');
  if (missing.length > 0 && asRoot && isDebian) install(missing, environment);
  const stillMissing = missingNeeds(missing, environment.PATH ?? '');
  if (stillMissing.length === 0) return null;
  const names = stillMissing.map((need) => need.name).join(', ');
  return `The tests need ${names}. On Debian this installs it:\n${installCommand(stillMissing, { asRoot })}`;
}

function programOfItsOwnPackage(name: string): SystemNeed {
  return { name, package: name, anyOf: [name] };
}

/** The lists are fetched first: on a fresh machine there are none, and old ones name versions that are gone. */
function install(missing: readonly SystemNeed[], environment: NodeJS.ProcessEnv): void {
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of ['apt-get update', installCommand(missing, { asRoot: true })]) {
    const [program = '', ...args] = command.split(' ');
    spawnSync(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}
