import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../files/failures.ts';
import { proxyEnvironment, RELAY_PORT } from './network/relay.ts';
import { foldersAbove, LIMITS, PLACES, type Sandbox } from './sandbox.ts';

/** File descriptors that the program of the sandbox gets besides the standard three. */
export const DESCRIPTORS = { ready: 3, script: 4, relay: 5, filter: 6, facts: 7 } as const;

/** Compares each mounted file or folder with the one that was judged. */
const COMPARISON = [
  'while [ "$1" != -- ]; do',
  '  [ "$(stat -c %d:%i -- "$1")" = "$2" ] || { echo changed >&3; exit 1; }', // guard X7-1
  '  shift 2',
  'done',
  'shift',
];

/**
 * Compares, says that the sandbox is ready, waits for the word of the agent, and becomes the script. An agent that is dead says nothing: its
 * death may have come before the kernel was told to end the sandbox with it. With a network the relay does this.
 */
const LAUNCHER = [...COMPARISON, 'echo ready >&3', 'read -r _ <&3 || exit 1', 'exec 3>&-', 'exec "$@"'].join('\n'); // guard X5-2
const LAUNCHER_OF_RELAY = [...COMPARISON, 'exec "$@"'].join('\n');

/** What the launcher is called, by which its sandbox is known. */
const LAUNCHER_NAME = 'handrail';

type Programs = { node: string; hasFilter: boolean };

/**
 * The arguments of bubblewrap. `node` is the program that runs scripts for Node. The text of the script comes by descriptor, and so
 * does the filter of system calls if there is one.
 */
export function bubblewrapArguments(sandbox: Sandbox, { node, hasFilter }: Programs): string[] {
  const hasNetwork = sandbox.proxySocket !== undefined;
  const environment = hasNetwork ? { ...BASE_ENVIRONMENT, ...PROXY } : BASE_ENVIRONMENT;
  const launcher = hasNetwork ? LAUNCHER_OF_RELAY : LAUNCHER;
  return [
    ...ISOLATION,
    ...['--info-fd', String(DESCRIPTORS.facts)],
    ...(hasFilter ? ['--seccomp', String(DESCRIPTORS.filter)] : []),
    ...systemFolders(),
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...devices(),
    ...['--size', String(LIMITS.temporaryBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(LIMITS.temporaryBytes), '--tmpfs', '/tmp', '--dir', PLACES.home],
    ...['--perms', '0444', '--ro-bind-data', String(DESCRIPTORS.script), PLACES.script],
    ...(sandbox.interpreter === 'node' || hasNetwork ? ['--ro-bind', node, PLACES.node] : []),
    ...wayOut(sandbox),
    ...writable(sandbox),
    ...protectedPlaces(sandbox),
    ...['--remount-ro', '/'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...[
      '--chdir',
      sandbox.folder ?? PLACES.home,
      '--',
      'prlimit',
      ...limits(),
      '/bin/sh',
      '-c',
      launcher,
      LAUNCHER_NAME,
    ],
    ...judged(sandbox),
    // The requester's environment counts for the script only, and not for the programs that check before it.
    ...['--', ...(hasNetwork ? [PLACES.node, PLACES.relay, PLACES.proxy, String(RELAY_PORT)] : [])],
    ...['/usr/bin/env', ...Object.entries(sandbox.environment).map(([name, value]) => `${name}=${value}`)],
    ...interpreterOf(sandbox),
  ];
}

/** New namespaces for everything, no capabilities, no terminal; the whole tree ends with the process that started it. */
const ISOLATION = [
  ...['--unshare-user', '--disable-userns', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'], // guard X2-1
  ...['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox'], // guard X5-1
  ...['--uid', '1000', '--gid', '1000', '--clearenv'],
];

function interpreterOf({ interpreter }: Sandbox): readonly string[] {
  const [program = '', ...options] = INTERPRETERS[interpreter];
  // By a name, the requester's PATH would choose the program.
  return [program.includes('/') ? program : programOfSystem(program), ...options]; // guard X24-3
}

function programOfSystem(name: string): string {
  const places = BASE_ENVIRONMENT.PATH.split(':').map((folder) => join(folder, name));
  return places.find((place) => existsSync(place)) ?? join('/usr/bin', name);
}

const INTERPRETERS: Readonly<Record<Sandbox['interpreter'], readonly string[]>> = {
  sh: ['/bin/sh', PLACES.script],
  bash: ['bash', '--noprofile', '--norc', PLACES.script],
  zsh: ['zsh', '-f', PLACES.script],
  python: ['python3', PLACES.script],
  node: [PLACES.node, PLACES.script],
};

/** Settings without which programs do not start. Other settings may hold passwords. */
const SETTINGS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/localtime'];

function systemFolders(): string[] {
  const merged = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].filter((path) => existsSync(path));
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...merged.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    ...SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
  ];
}

/** The socket of the proxy, the relay to it, and the certificates of the public authorities. The namespace has no other way out. */
function wayOut({ proxySocket }: Sandbox): string[] {
  if (proxySocket === undefined) return [];
  return [
    ...['--ro-bind', proxySocket, PLACES.proxy],
    ...['--perms', '0444', '--ro-bind-data', String(DESCRIPTORS.relay), PLACES.relay],
    ...CERTIFICATES.flatMap((path) => ['--ro-bind-try', path, path]),
  ];
}

const CERTIFICATES = ['/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/pki/tls/certs', '/etc/pki/ca-trust/extracted'];

const PROXY = proxyEnvironment(`http://127.0.0.1:${RELAY_PORT}`);

/** No terminal, no display, no disk. */
function devices(): string[] {
  const names = ['null', 'zero', 'full', 'random', 'urandom'];
  return [
    ...['--tmpfs', '/dev'],
    ...names.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
    ...['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
  ];
}

function writable({ writable: paths }: Sandbox): string[] {
  // A folder comes before what lies in it, so that neither covers the other.
  const sorted = paths.toSorted((one, other) => one.path.length - other.path.length);
  return sorted.flatMap(({ path }) => ['--bind', path, path]);
}

/** Mounts hide the secrets and keep the repositories. A mount on each folder above keeps it from being renamed together with them. */
function protectedPlaces(sandbox: Sandbox): string[] {
  const places = [
    ...pinned(sandbox).map((path) => ({ path, mount: ['--bind', path, path] })), // guard X12-1
    ...sandbox.readOnly.map((path) => ({ path, mount: ['--ro-bind', path, path] })),
    ...sandbox.hidden.map(({ path, kind }) => ({
      path,
      mount: kind === 'folder' ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path],
    })),
  ];
  // A folder comes before what lies in it.
  return places.toSorted((one, other) => one.path.length - other.path.length).flatMap(({ mount }) => mount);
}

/** The folders above a protected place. A writable one is a mount already, and in a read-only one nothing can be renamed. */
function pinned(sandbox: Sandbox): string[] {
  const isKept = (path: string) =>
    sandbox.writable.some((root) => root.path === path) ||
    sandbox.readOnly.some((place) => `${path}/`.startsWith(`${place}/`));
  return foldersAbove(sandbox).filter((path) => !isKept(path));
}

/** Places with the identity that each had at the look. Another script may have put a link there since, so the mounts are compared. */
function judged(sandbox: Sandbox): string[] {
  const looked = [...pinned(sandbox), ...sandbox.readOnly].map((path) => ({
    path,
    identity: sandbox.identities.get(path),
  }));
  return [...sandbox.writable, ...looked].flatMap(({ path, identity }) => [
    path,
    identity === undefined ? 'unknown' : `${identity.device}:${identity.inode}`,
  ]);
}

const BASE_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: PLACES.home,
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
};

function limits(): string[] {
  return [
    '--core=0',
    `--data=${LIMITS.processBytes}`,
    `--fsize=${LIMITS.fileBytes}`,
    `--nofile=${LIMITS.openFiles}`,
    `--nproc=${LIMITS.processes * 4}`,
  ];
}

/**
 * Ends the sandboxes that killed agents of this user left behind. bubblewrap ties the first process of a sandbox to its parent only when
 * the sandbox is complete: killed before that, the parent leaves one behind that waits for ever. No script has begun in it.
 */
export function endLeftovers(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && isLeftover(name))) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  }
}

/** The first process of a sandbox whose parent, the same program, is gone. */
function isLeftover(pid: string): boolean {
  const command = read(pid, 'cmdline');
  if (!command.startsWith('bwrap\0') || !command.includes(`\0${LAUNCHER_NAME}\0`)) return false;
  const status = read(pid, 'status');
  const [, parent = '', user = ''] = /^PPid:\s+(\d+)$[\s\S]*^Uid:\s+(\d+)/mu.exec(status) ?? [];
  const isFirst = /^NSpid:.*\s1$/mu.test(status);
  return isFirst && Number(user) === process.getuid?.() && read(parent, 'cmdline') !== command;
}

/** Nothing where the process has ended. */
function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
