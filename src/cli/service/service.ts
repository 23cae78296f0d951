import { join } from 'node:path';
import { FEW_HEAPS } from '../../launch/daemon-flags.cjs';
import { CommandError } from '../command.ts';
import { settingsOf } from '../running.ts';
import type { Program, Surroundings } from '../surroundings.ts';

export type Step = readonly [program: string, ...args: string[]];

/** A service of the person's own account: its file, and the commands that switch it on and off. */
type Service = {
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

type SystemdUnitService = Program & { environment: Readonly<Record<string, string>>; hasDisplay: boolean };

/** A unit for the person's own systemd. It waits for the graphical session where the person has one. */
export function systemdUnit({ command, args, environment, hasDisplay }: SystemdUnitService): string {
  const session = hasDisplay ? 'graphical-session.target' : 'default.target';
  return [
    '[Unit]',
    'Description=Handrail: hands for scripts and agents on this desktop, under your eyes',
    ...(hasDisplay ? ['PartOf=graphical-session.target', 'After=graphical-session.target'] : []),
    '',
    '[Service]',
    `ExecStart=${[program(command), ...args.map(argument)].join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=5',
    // The daemon hands back what waits within ten seconds.
    'TimeoutStopSec=20',
    'UMask=0077',
    '',
    '[Install]',
    `WantedBy=${session}`,
    '',
  ].join('\n');
}

/** systemd takes no quotes and no backslash in the path of a program, and reads no `$` there. */
function program(path: string): string {
  if (/["'\\]/.test(path))
    throw new CommandError(`A unit of systemd cannot start ${path}: its path has a quote or a backslash.`);
  return quoted(path);
}

/** An argument. systemd reads `$` there. */
function argument(text: string): string {
  return quoted(text.replaceAll('$', '$$$$'));
}

/** In quotes. `%` begins a specifier, so it is written twice. A quote and a backslash each get a backslash. */
function quoted(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new CommandError('A path with a line end cannot stand in a unit of systemd.');
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
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

const LABEL = 'dev.handrail.daemon';

type LaunchdAgentService = Program & { environment: Readonly<Record<string, string>>; logFile: string };

/** A property list for the person's own launchd. Aqua: only in a session with a desktop. */
export function launchdAgent({ command, args, environment, logFile }: LaunchdAgentService): string {
  const variables = Object.entries(environment).map(([name, value]) => `<key>${text(name)}</key>${string(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${string(LABEL)}`,
    `  <key>ProgramArguments</key><array>${[command, ...args].map(string).join('')}</array>`,
    `  <key>EnvironmentVariables</key><dict>${variables.join('')}</dict>`,
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>ExitTimeOut</key><integer>20</integer>',
    '  <key>LimitLoadToSessionType</key><string>Aqua</string>',
    '  <key>Umask</key><integer>63</integer>',
    `  <key>StandardOutPath</key>${string(logFile)}`,
    `  <key>StandardErrorPath</key>${string(logFile)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function string(value: string): string {
  return `<string>${text(value)}</string>`;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
