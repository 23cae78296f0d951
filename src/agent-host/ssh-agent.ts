import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { REFUSED_EXIT_CODE } from '../contract/link.ts';
import { MACHINE_HAS_A_PERSON, type Machine, remoteCommandOf } from '../contract/machine.ts';
import { createStreamTransport, type StreamTransport } from '../contract/stream-transport.ts';
import { spelledOut, UNSEEN } from '../contract/unseen-characters.ts';
import { isShortage, neverStarted } from './process.ts';
import { type AgentProcessEvents, type SpawnAgent, SUPERVISOR_LIMITS, type SupervisorLimits } from './supervisor.ts';

/** A machine may be off for days: it is tried as long as the person has it, once a minute at least. */
export const MACHINE_LIMITS: SupervisorLimits = {
  ...SUPERVISOR_LIMITS,
  backoffMs: 1_000,
  longestBackoffMs: 60_000,
  starts: Number.POSITIVE_INFINITY,
};

/**
 * It asks for nothing, takes no host key that the person has not seen, and forwards nothing, whatever the person's own configuration says.
 * A shared connection would keep the options with which it was opened.
 */
const OPTIONS = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'UpdateHostKeys=no',
  'GSSAPIDelegateCredentials=no',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'Tunnel=no',
  'RemoteCommand=none',
  'RequestTTY=no',
  'ControlMaster=no',
  'ControlPath=none',
  'LogLevel=ERROR',
  'ConnectTimeout=10',
  'ServerAliveInterval=5',
  'ServerAliveCountMax=3',
];

/** `ssh` ends with this code for every failure of its own. */
const SSH_FAILED = 255;
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

const KEPT_LINES = 40;
const LONGEST_LINE = 1_000;
/** The daemon's log holds no more of one process. */
const MOST_LINES = 200;
const LAST_WORDS_MS = 200;
/** Many times what a machine that reads ever leaves waiting. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

type Options = {
  machine: Machine;
  /** Where `ssh` finds its programs, its keys and its agent. */
  environment: NodeJS.ProcessEnv;
  /** Takes over the link to the agent there, once something comes from it. */
  attach(transport: StreamTransport): void;
  /** Told in words how it ended, for the person, and of each process. */
  observe?: { ended?(reason: string): void; started?(pid: number): void };
  /** More arguments of `ssh`, for tests. */
  sshArguments?: readonly string[];
};

/** Starts the agent of another machine over the system's `ssh`, which it ends with. */
export function createSshAgent(options: Options): SpawnAgent {
  const { machine, environment, observe = {}, sshArguments = [] } = options;
  const args = [...sshArguments, '-T', ...OPTIONS.flatMap((option) => ['-o', option])];
  const words = [...args, '--', machine.address, remoteCommandOf(machine)];
  return (events) => {
    const ownLog = openOwnLog();
    try {
      const child = spawn('ssh', ['-E', ownLog.file, ...words], { env: environment, stdio: 'pipe' });
      report(child, { ...options, ownLog }, events);
      if (child.pid !== undefined) observe.started?.(child.pid);
      let isAttached = false;
      return {
        send({ type }) {
          if (type === 'stop') child.stdin.end();
          else if (!isAttached) attachLater(child, options);
          isAttached = true;
        },
        kill: (signal) => void child.kill(signal),
      };
    } catch (error) {
      ownLog.take();
      return neverStarted(error, events);
    }
  };
}

type OwnLog = ReturnType<typeof openOwnLog>;

/** A file in which `ssh` writes its own words, apart from those of the other machine. */
function openOwnLog() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-ssh-log-'));
  const file = join(folder, 'log');
  return {
    file,
    /** Its lines, once `ssh` has ended. Nothing is left of the file. */
    take(): string[] {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      rmSync(folder, { recursive: true, force: true });
      return text.split('\n').slice(0, KEPT_LINES).map(shown).filter(Boolean);
    },
  };
}

/** The link waits for its first message only a few seconds, and `ssh` may take longer. */
function attachLater({ stdin, stdout }: ChildProcessWithoutNullStreams, { attach }: Options): void {
  stdout.once('readable', () => {
    if (stdout.readableLength > 0)
      attach(createStreamTransport({ input: stdout, output: stdin, mostUnreadBytes: MOST_UNREAD_BYTES }));
  });
}

function report(
  child: ChildProcessWithoutNullStreams,
  { machine, observe, ownLog }: Options & { ownLog: OwnLog },
  events: AgentProcessEvents,
): void {
  const lines: string[] = [];
  let written = 0;
  let hasSpoken = false;
  let hasEnded = false;
  const end = (exitCode: number | null, reasonFor: (ownWords: string[]) => string, isShort?: boolean) => {
    if (hasEnded) return;
    hasEnded = true;
    const ownWords = ownLog.take();
    for (const line of ownWords) events.line(line);
    const reason = reasonFor(ownWords);
    observe?.ended?.(reason);
    events.ended({ exitCode, reason, ...(isShort !== undefined && { isShortage: isShort }) });
  };
  const endWith = (exitCode: number | null, signal: NodeJS.Signals | null) =>
    end(exitCode, (ownWords) =>
      signal === null ? reasonOf({ exitCode, lines, ownWords, hasSpoken, machine }) : `ssh was ended by ${signal}`,
    );
  child.stdout.once('readable', () => {
    hasSpoken = child.stdout.readableLength > 0;
  });
  child.on('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const reason = isMissing ? 'there is no `ssh` on this computer; install the OpenSSH client' : error.message;
    if (child.pid === undefined) end(null, () => reason, isShortage(error));
  });
  // What it wrote last may come after its end; a program that it left behind may hold its streams for longer.
  child.on('exit', (...how) => void setTimeout(() => endWith(...how), LAST_WORDS_MS).unref());
  child.on('close', endWith);
  // A write fails only when the process has ended.
  child.stdin.on('error', () => undefined);
  readLines(child.stderr, (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    written += 1;
    if (written <= MOST_LINES) events.line(line);
    if (written === MOST_LINES) events.line('it writes too much, and the rest is left out');
  });
}

/** The other machine may be hostile: a line without an end takes no more room than a long one. */
function readLines(stream: Readable, told: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${begun}${text}`.split('\n');
    begun = parts.pop()?.slice(0, LONGEST_LINE) ?? '';
    for (const part of parts) told(shown(part));
  });
}

function shown(line: string): string {
  return line
    .slice(0, LONGEST_LINE)
    .trimEnd()
    .replace(/\p{Cc}/gu, ' ')
    .replace(UNSEEN, spelledOut);
}

type Ending = {
  exitCode: number | null;
  /** What came on standard error: also the other machine writes there. */
  lines: readonly string[];
  /** What `ssh` wrote in its log. */
  ownWords: readonly string[];
  /** Whether anything came from the command there. */
  hasSpoken: boolean;
  machine: Machine;
};

/** Why `ssh` or the agent there ended, with what the person can do about it. */
export function reasonOf({ exitCode, lines, ownWords, hasSpoken, machine }: Ending): string {
  const last = quoted(ownWords.at(-1) ?? lines.at(-1));
  const { address } = machine;
  const command = machine.agentCommand ?? 'handrail';
  if (exitCode === MACHINE_HAS_A_PERSON.exitCode)
    return `${MACHINE_HAS_A_PERSON.code}: a Handrail runs there, and its person rules; they can let other computers act there at its dashboard`;
  if (exitCode === REFUSED_EXIT_CODE)
    return 'the Handrail there and this one speak different versions of the link, or there is no driver for that platform; install the same version on both';
  if (exitCode === NOT_FOUND || exitCode === NOT_EXECUTABLE)
    return `\`${command}\` was not found there; install Handrail there, or give this machine the path of its \`handrail\``;
  if (exitCode !== SSH_FAILED) return `the agent there ended with exit code ${exitCode}${last}`;
  const sentences = withoutTheirs(ownWords); // guard A31-7
  const failures = hasSpoken ? BROKEN_LINES : [...NO_CONNECTION, ...BROKEN_LINES]; // guard A31-9
  const known = failures.find(([pattern]) => sentences.some((line) => pattern.test(line)));
  return known?.[1](address) ?? `ssh ended${last}`;
}

/** Words of somebody else: in quotation marks, and without the semicolon behind which stands what to do. */
function quoted(words = ''): string {
  return words && `: “${words.slice(0, 200).replaceAll(';', ',').replaceAll(/[“”]/g, ' ')}”`;
}

/** `ssh` writes down what the server says as it disconnects, with line breaks. */
function withoutTheirs(ownWords: readonly string[]): readonly string[] {
  const at = ownWords.findIndex((line) => line.startsWith('Received disconnect'));
  return at < 0 ? ownWords : ownWords.slice(0, at); // guard A31-8
}

type Failure = readonly [words: RegExp, reason: (address: string) => string];

/** The words of OpenSSH where nothing came from there, and what they mean for the person. The first that is found counts. */
const NO_CONNECTION: readonly Failure[] = [
  [
    /^@ +WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED|^Host key for \S+ has changed/,
    (address) =>
      `the host key changed: another machine answers at ${address}, or it was set up anew; if you know why, run \`ssh-keygen -R ${hostOf(address)}\`, then \`ssh ${address}\` once by hand`,
  ],
  [
    /^Host key verification failed|^No \S+ host key is known/,
    (address) => `its host key is not known yet; run \`ssh ${address}\` once by hand, and compare the key`,
  ],
  [
    /^\S+: Permission denied/,
    (address) =>
      `ssh was not let in without a password; set up a key with \`ssh-copy-id ${address}\`, and load it if it has a passphrase`,
  ],
  [/^ssh: Could not resolve hostname/, (address) => `the name ${hostOf(address)} leads nowhere; check the address`],
  [
    /^ssh: connect to host .*Connection refused/,
    (address) =>
      `no ssh server listens at ${hostOf(address)}; switch on Remote Login there (macOS), or install openssh-server`,
  ],
];

/** What it writes where the line broke, before or after. */
const BROKEN_LINES: readonly Failure[] = [
  [
    /timed out|No route to host|Network is unreachable|Host is down|not responding/i,
    (address) => `${hostOf(address)} does not answer; is it on, and on this network?`,
  ],
  [/Connection .*(?:closed|reset)|Broken pipe|kex_exchange/i, () => 'the connection was closed by the other end'],
];

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
