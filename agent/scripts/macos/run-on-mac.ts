import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interpreter } from '../../../src/contract/scripts.ts';
import { runProgram } from '../../drivers/exec.ts';
import { isCode } from '../../files/failures.ts';
import { proxyEnvironment } from '../network/relay.ts';
import { endingOf, type SandboxedRun, tailOf } from '../run-sandboxed.ts';
import { foldersAbove, type HiddenPath, LIMITS, type Sandbox, type WritablePath } from '../sandbox.ts';

/** The programs of macOS that run scripts; tests put others in their place. */
export type ScriptPrograms = { sandboxExec: string; osascript: string; ps: string };

export const SCRIPT_PROGRAMS: ScriptPrograms = {
  sandboxExec: '/usr/bin/sandbox-exec',
  osascript: '/usr/bin/osascript',
  ps: '/bin/ps',
};

type MacScript = Omit<Sandbox, 'interpreter' | 'proxySocket'> & {
  interpreter: Interpreter;
  /** The proxy of a script with a network. */
  proxy?: { port: number; password: string };
};

type Run = { script: string; node: string; signal: AbortSignal; programs?: ScriptPrograms };

const LOOK_EVERY_MS = 250;

/**
 * Runs a script on a Mac: in its sandbox, or, for AppleScript and JXA, outside of every sandbox, because they work by driving other apps. All
 * processes that were seen to descend from it are ended with it.
 */
export async function runOnMac(sandbox: MacScript, run: Run): Promise<SandboxedRun> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-script-')));
  try {
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(folder, 'script'), run.script, { mode: 0o400 });
    if (!sandbox.writable.every(isAsJudged)) return { kind: 'changed' };
    return await started(sandbox, run, { folder, home });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAsJudged({ path, identity }: Sandbox['writable'][number]): boolean {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
  return String(facts?.dev) === identity.device && String(facts?.ino) === identity.inode;
}

/** The rights of a script on a Mac. Everything else is closed to it. */
export type MacSandbox = {
  writable: readonly WritablePath[];
  hidden: readonly HiddenPath[];
  readOnly: readonly string[];
  /** The folder with the script, which it may read, and the empty home folder in it, which it may write. */
  scratch: { folder: string; home: string };
  /** The program of Node, for scripts that need it. */
  node?: string;
  /** The port of the proxy on this machine; without it the script has no network. */
  proxyPort?: number;
};

/**
 * The profile for `sandbox-exec`, with the values of its parameters. No path becomes part of the text: each is a parameter, so that quotes,
 * parentheses and line breaks in a name mean nothing. The last rule that matches decides.
 */
export function seatbeltProfile(sandbox: MacSandbox): { profile: string; parameters: Record<string, string> } {
  const { parameters, named } = namer();
  const { scratch, node, proxyPort, readOnly } = sandbox;
  const lines = [
    ...BASE,
    `(allow ${RUN} (subpath ${named(scratch.folder)}))`,
    `(allow file-write* (subpath ${named(scratch.home)}))`,
    ...(node === undefined ? [] : [`(allow ${RUN} (literal ${named(node)}))`, '(allow dynamic-code-generation)']),
    ...sandbox.writable.map(({ path, kind }) => `(allow file* process-exec (${filterOf(kind)} ${named(path)}))`),
    ...(sandbox.writable.length === 0 ? [] : [NO_NEW_REPOSITORY]),
    NO_OTHER_RIGHTS,
    // A program looks at each folder on the way to its own files.
    ...waysTo(sandbox).map((path) => `(allow file-read-metadata file-test-existence (literal ${named(path)}))`),
    ...readOnly.map((path) => `(deny file-write* file-link (subpath ${named(path)}))`),
    ...sandbox.hidden.map(({ path, kind }) => `(deny file* (${filterOf(kind)} ${named(path)}))`),
    // If the script renamed such a folder, the hidden files in it would move to a path that no rule names.
    ...foldersAbove(sandbox).map((path) => `(deny file-write-unlink (literal ${named(path)}))`),
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote tcp "localhost:${Math.trunc(proxyPort)}"))`]),
  ];
  return { profile: `${lines.join('\n')}\n`, parameters };
}

/** The arguments of `sandbox-exec` before the command. */
export function seatbeltArguments(sandbox: MacSandbox): string[] {
  const { profile, parameters } = seatbeltProfile(sandbox);
  return [...Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`]), '-p', profile];
}

/** The rights to read, run and load a program and its libraries. Without the last two, macOS ends the program before it begins. */
const RUN = 'file-read* process-exec file-map-executable file-test-existence';
const READ = 'file-read* file-map-executable file-test-existence';

/** Programs of the person run commands from a repository. Under this name none can be made, renamed to or linked to. */
const NO_NEW_REPOSITORY = '(deny file-write-create file-link (regex #"/\\.([gG][iI][tT]|[hH][gG]|[jJ][jJ])$"))';

/** Another user who runs a file with such a bit would have the rights of the person. */
const NO_OTHER_RIGHTS = '(deny file-write-setugid)';

/** Programs and libraries of the system, and nothing of the person. No service of macOS can be called but the one for user names. */
const BASE = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  `(allow ${RUN} (subpath "/bin") (subpath "/usr") (subpath "/System") (subpath "/Library/Developer/CommandLineTools") (subpath "/opt/homebrew"))`,
  `(allow ${READ} (literal "/") (subpath "/private/etc/ssl") (subpath "/private/var/db/dyld") (subpath "/private/preboot/Cryptexes") (subpath "/private/var/select"))`,
  '(allow file-read* file-test-existence (literal "/private/etc/localtime") (subpath "/private/var/db/timezone"))',
  '(allow file-read-metadata file-test-existence (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private") (literal "/private/var"))',
  '(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))',
  '(allow file-read* file-write-data (subpath "/dev/fd"))',
  '(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))',
];

function filterOf(kind: 'file' | 'folder'): 'literal' | 'subpath' {
  return kind === 'file' ? 'literal' : 'subpath';
}

/** The folders above each place that is open to the script, without those above places of the system. The script can tell that they exist. */
function waysTo({ scratch, node, writable }: MacSandbox): string[] {
  const places = [scratch.folder, ...(node === undefined ? [] : [node]), ...writable.map(({ path }) => path)];
  const above = places.flatMap((path) => {
    const parts = path.split('/').slice(1, -1);
    return parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`);
  });
  return [...new Set(above)];
}

/** Gives each path a parameter; the same path has one name. */
function namer() {
  const parameters: Record<string, string> = {};
  const names = new Map<string, string>();
  return {
    parameters,
    named(path: string): string {
      const name = names.get(path) ?? `PATH_${names.size}`;
      names.set(path, name);
      parameters[name] = path;
      return `(param "${name}")`;
    },
  };
}

function started(sandbox: MacScript, run: Run, scratch: MacSandbox['scratch']): Promise<SandboxedRun> {
  const { programs = SCRIPT_PROGRAMS, signal } = run;
  const [program = '', ...args] = commandOf(sandbox, { node: run.node, programs, scratch });
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: environmentOf(sandbox, scratch.home),
    cwd: sandbox.folder ?? scratch.home,
    // A group of its own can be ended as a whole.
    detached: true,
  });
  const outputs = { stdout: tailOf(child.stdout), stderr: tailOf(child.stderr), notes: tailOf(child.stdio[3]) };
  const watch = watched(child, signal, programs.ps);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      void watch.stop();
      resolve({ kind: 'no_sandbox', reason: error.message });
    });
    // Processes that outlive the script may hold its outputs open, so they end first.
    child.on('exit', () => void watch.stop());
    child.on('close', (exitCode, killedBy) => {
      resolve(endingOf({ exitCode, killedBy, ...watch.ended() }, outputs));
    });
  });
}

/** Sets the limits, says that the script begins, and becomes the script. */
const LAUNCHER = [
  `ulimit -c 0 -f ${LIMITS.fileBytes / 512} -n ${LIMITS.openFiles}`,
  'echo ready >&3',
  'exec 3>&-',
  'exec "$@"',
].join('\n');

type Place = { node: string; programs: ScriptPrograms; scratch: MacSandbox['scratch'] };

function commandOf(sandbox: MacScript, { node, programs, scratch }: Place): string[] {
  const file = join(scratch.folder, 'script');
  const interpreters: Readonly<Record<Interpreter, readonly string[]>> = {
    sh: ['/bin/sh', file],
    bash: ['/bin/bash', '--noprofile', '--norc', file],
    zsh: ['/bin/zsh', '-f', file],
    python: ['/usr/bin/python3', file],
    node: [node, file],
    applescript: [programs.osascript, file],
    javascript: [programs.osascript, '-l', 'JavaScript', file],
  };
  const variables = Object.entries(sandbox.environment).map(([name, value]) => `${name}=${value}`);
  const command = ['/bin/sh', '-c', LAUNCHER, 'handrail', '/usr/bin/env', ...variables];
  const script = [...command, ...interpreters[sandbox.interpreter]];
  if (sandbox.interpreter === 'applescript' || sandbox.interpreter === 'javascript') return script;
  const rights = {
    ...sandbox,
    scratch,
    ...(sandbox.interpreter === 'node' && { node }),
    proxyPort: sandbox.proxy?.port,
  };
  return [programs.sandboxExec, ...seatbeltArguments(rights), ...script];
}

function environmentOf({ proxy }: MacScript, home: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: home,
    LANG: 'en_US.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    ...(proxy && proxyEnvironment(`http://handrail:${proxy.password}@127.0.0.1:${proxy.port}`)),
  };
}

/** Ends the processes of a script when its signal aborts, when they take too much, and when it has ended itself. */
function watched(child: ChildProcess, signal: AbortSignal, ps: string) {
  const processes = child.pid === undefined ? undefined : createProcessWatch(child.pid);
  let excess: string | undefined;
  let isEnded = false;

  async function look(): Promise<number[]> {
    const args = ['-axo', 'pid=,ppid=,rss='];
    const list = await runProgram({ program: ps, args, timeoutMs: 5_000 });
    const { pids, bytes } = processes?.look(list.kind === 'exited' ? list.stdout : '') ?? { pids: [], bytes: 0 };
    if (pids.length > LIMITS.processes) excess ??= `more than ${LIMITS.processes} processes`;
    else if (bytes > LIMITS.totalBytes) excess ??= `more than ${LIMITS.totalBytes / 1024 ** 2} MB of memory`;
    return pids;
  }

  async function end(): Promise<void> {
    const pids = await look();
    if (child.pid !== undefined) kill(-child.pid);
    for (const pid of pids) kill(pid);
  }

  const abort = () => {
    isEnded = true;
    void end();
  };
  const timer = setInterval(() => {
    if (isEnded || excess !== undefined) void end();
    else void look();
  }, LOOK_EVERY_MS);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    ended: () => ({ isEnded, excess }),
    async stop(): Promise<void> {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
      await end();
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isCode(error, 'ESRCH') && !isCode(error, 'EPERM')) throw error;
  }
}

/** One line of `ps -axo pid=,ppid=,rss=`: ids, and kilobytes of memory. */
type Listed = { pid: number; parent: number; kilobytes: number };

/**
 * Follows the processes that a script starts. macOS has no namespace of processes, so each look adds the children of the known ones. A
 * process stays known when its parent has ended.
 */
export function createProcessWatch(root: number) {
  let known = new Set([root]);
  return {
    /** Answers the processes that run now, and their memory in bytes. */
    look(list: string): { pids: number[]; bytes: number } {
      const listed = parsed(list);
      let size = 0;
      while (size !== known.size) {
        size = known.size;
        for (const { pid, parent } of listed) if (known.has(parent)) known.add(pid);
      }
      const running = listed.filter(({ pid }) => known.has(pid));
      // An id that has ended may be given to another program.
      known = new Set([root, ...running.map(({ pid }) => pid)]);
      return {
        pids: running.map(({ pid }) => pid),
        bytes: running.reduce((sum, { kilobytes }) => sum + kilobytes * 1024, 0),
      };
    },
  };
}

function parsed(list: string): Listed[] {
  return [...list.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s*$/gmu)].map(([, pid, parent, kilobytes]) => ({
    pid: Number(pid),
    parent: Number(parent),
    kilobytes: Number(kilobytes),
  }));
}
