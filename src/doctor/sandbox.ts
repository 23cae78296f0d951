import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { scriptNeeds } from '../agent-host/script-needs.ts';
import { missingNeeds } from '../agent-host/virtual-desktop/programs.ts';
import type { Finding } from './finding.ts';

type Machine = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv };

const SANDBOX = 'sandbox';
const TRIAL_TIMEOUT_MS = 10_000;
/** The namespaces of a real script, around a program that only ends. */
const ISOLATION = [
  ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--die-with-parent'],
  ...[
    '--new-session',
    '--cap-drop',
    'ALL',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--clearenv',
    '--ro-bind',
    '/usr',
    '/usr',
  ],
  ...['--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib', '--proc', '/proc', '--dev', '/dev'],
];
const LIB64 = ['--symlink', 'usr/lib64', '/lib64'];
const SETTINGS: readonly (readonly [file: string, setting: string, value: string])[] = [
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'kernel.apparmor_restrict_unprivileged_userns', '0'],
  ['/proc/sys/kernel/unprivileged_userns_clone', 'kernel.unprivileged_userns_clone', '1'],
];
const SEATBELT = ['/usr/bin/sandbox-exec', '-p', '(version 1)(allow default)', '/usr/bin/true'] as const;

/** Starts a program in a sandbox like that of scripts. */
export async function checkSandbox({ platform, environment }: Machine): Promise<Finding[]> {
  const path = environment.PATH ?? '';
  if (
    platform === 'linux' &&
    missingNeeds([{ name: 'bwrap', package: 'bubblewrap', anyOf: ['bwrap'] }], path).length > 0
  )
    return [
      {
        check: SANDBOX,
        state: 'problem',
        message: 'There is none without bubblewrap.',
        remedy: 'Install it; see programs.',
      },
    ];
  const lib64 = existsSync('/lib64') ? LIB64 : [];
  const [program, ...args] =
    platform === 'darwin' ? SEATBELT : ['bwrap', ...ISOLATION, ...lib64, '--', '/usr/bin/true'];
  const fault = await faultOf(program, args, path);
  if (fault === undefined) return [{ check: SANDBOX, state: 'good', message: 'scripts can be run in it' }];
  return [
    { check: SANDBOX, state: 'problem', message: `A sandbox cannot be made: ${fault}.`, remedy: remedyOf(platform) },
  ];
}

/** The last line of the program's message when it fails. */
function faultOf(program: string, args: readonly string[], path: string): Promise<string | undefined> {
  const options = { timeout: TRIAL_TIMEOUT_MS, env: { PATH: path }, encoding: 'utf8' } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, _output, errors) => {
      const [last = ''] = errors.trim().split('\n').slice(-1);
      resolve(error === null ? undefined : last.replace(/\.$/, '') || error.message.replace(/\.$/, ''));
    });
  });
}

function remedyOf(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Scripts need sandbox-exec of macOS; every other action works without.';
  const [found] = SETTINGS.filter(([file]) => existsSync(file));
  if (found === undefined)
    return 'Allow user namespaces for programs without rights (in a container: its seccomp profile). Every other action works without scripts.';
  const [, setting, value] = found;
  return `Allow user namespaces: sudo sysctl -w ${setting}=${value}. Every other action works without scripts.`;
}

type ProgramsMachine = {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  asRoot: boolean;
  sandboxPath?: string;
};

const PROGRAMS = 'programs';

/** The programs of the system that scripts run with. */
export function checkPrograms({ platform, environment, asRoot, sandboxPath }: ProgramsMachine): Finding[] {
  const place = sandboxPath === undefined ? {} : { sandboxPath };
  const { lines } = scriptNeeds({ platform, path: environment.PATH ?? '', asRoot, ...place });
  if (lines.length === 0) return [{ check: PROGRAMS, state: 'good', message: 'all that scripts need' }];
  return lines.map((line) => {
    const [message = line, remedy] = line.split(/ (?=Install (?:it|them): )/);
    return { check: PROGRAMS, state: 'problem', message, remedy };
  });
}
