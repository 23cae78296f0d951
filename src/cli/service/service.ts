import { join } from 'node:path';
import { FEW_HEAPS } from '../../launch/daemon-flags.cjs';
import { CommandError } from '../command.ts';
import { settingsOf } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';
import { LABEL, launchdAgent } from './launchd-agent.ts';
import { systemdUnit } from './systemd-unit.ts';

export type Step = readonly [program: string, ...args: string[]];

/** A service of the person's own account: its file, and the commands that switch it on and off. */
export type Service = {
  file: string;
  content: string;
  install: readonly Step[];
  uninstall: readonly Step[];
  follow: string;
};

const UNIT = 'handrail.service';

/** The service for this system, with the settings of this environment. Throws CommandError on a system that has none. */
export function serviceOf(surroundings: Surroundings): Service {
  const { platform } = surroundings;
  if (platform === 'linux') return systemdService(surroundings);
  if (platform === 'darwin') return launchdService(surroundings);
  throw new CommandError(`There is no service for ${platform}.`);
}

function systemdService(surroundings: Surroundings): Service {
  const { environment, home, daemon } = surroundings;
  const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = environment;
  const folder = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user');
  const user = (...words: string[]): Step => ['systemctl', '--user', ...words];
  return {
    file: join(folder, UNIT),
    content: systemdUnit({ ...daemon, environment: settingsIn(environment), hasDisplay: Boolean(display || wayland) }),
    install: [user('daemon-reload'), user('enable', '--now', UNIT)],
    uninstall: [user('disable', '--now', UNIT)],
    follow: 'journalctl --user -u handrail',
  };
}

function launchdService(surroundings: Surroundings): Service {
  const { environment, home, daemon } = surroundings;
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const logFile = join(settingsOf(surroundings).dataDirectory, 'handrail.log');
  return {
    file,
    content: launchdAgent({ ...daemon, environment: settingsIn(environment), logFile }),
    install: [['launchctl', 'bootstrap', domain, file]],
    uninstall: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    follow: `tail -f '${logFile}'`,
  };
}

/** The settings of Handrail, and the search path: a service gets a shorter one. */
function settingsIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(
    ([name, value]) => value !== undefined && (name === 'PATH' || KEPT.includes(name)),
  );
  return { ...FEW_HEAPS, ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) };
}

const KEPT: readonly string[] = [
  'HANDRAIL_PORT',
  'HANDRAIL_DATA_DIR',
  'HANDRAIL_LOG_LEVEL',
  'HANDRAIL_ALLOW_OS_USERS',
  'HANDRAIL_NOTIFY',
];
