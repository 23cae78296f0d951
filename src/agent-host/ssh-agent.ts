import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
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
    try {
      const child = spawn('ssh', words, { env: environment, stdio: 'pipe' });
      report(child, options, events);
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
      return neverStarted(error, events);
    }
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
  { machine, observe }: Options,
  events: AgentProcessEvents,
): void {
  const lines: string[] = [];
  let written = 0;
  let hasEnded = false;
  const end = (how: Parameters<AgentProcessEvents['ended']>[0]) => {
    if (hasEnded) return;
    hasEnded = true;
    observe?.ended?.(how.reason);
    events.ended(how);
  };
  const endWith = (exitCode: number | null, signal: NodeJS.Signals | null) =>
    end({ exitCode, reason: signal === null ? reasonOf({ exitCode, lines, machine }) : `ssh was ended by ${signal}` });
  child.on('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const reason = isMissing ? 'there is no `ssh` on this computer; install the OpenSSH client' : error.message;
    if (child.pid === undefined) end({ exitCode: null, reason, isShortage: isShortage(error) });
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
    for (const part of parts) told(printable(part.slice(0, LONGEST_LINE)));
  });
}

function printable(line: string): string {
  return line
    .trimEnd()
    .replace(/\p{Cc}/gu, ' ')
    .replace(UNSEEN, spelledOut);
}

type Ending = { exitCode: number | null; lines: readonly string[]; machine: Machine };

/** Why `ssh` or the agent there ended, with what the person can do about it. */
export function reasonOf({ exitCode, lines, machine }: Ending): string {
  // What to do stands behind a semicolon, and the other machine does not say that.
  const last = (lines.at(-1)?.slice(0, 200) ?? '').replaceAll(';', ',');
  const { address } = machine;
  const command = machine.agentCommand ?? 'handrail';
  if (exitCode === MACHINE_HAS_A_PERSON.exitCode)
    return `${MACHINE_HAS_A_PERSON.code}: a Handrail runs there, and its person rules; they can let other computers act there at its dashboard`;
  if (exitCode === REFUSED_EXIT_CODE)
    return 'the Handrail there and this one speak different versions of the link, or there is no driver for that platform; install the same version on both';
  if (exitCode === NOT_FOUND || exitCode === NOT_EXECUTABLE)
    return `\`${command}\` was not found there; install Handrail there, or give this machine the path of its \`handrail\``;
  if (exitCode !== SSH_FAILED) return `the agent there ended with exit code ${exitCode}${last && `: ${last}`}`;
  const known = SSH_FAILURES.find(([pattern]) => lines.some((line) => pattern.test(line)));
  return known?.[1](address) ?? `ssh ended${last && `: ${last}`}`;
}

/** The words of OpenSSH, and what they mean for the person. The first that is found counts. */
const SSH_FAILURES: readonly [words: RegExp, reason: (address: string) => string][] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|HOST IDENTIFICATION|host key .*has changed/i,
    (address) =>
      `the host key changed: another machine answers at ${address}, or it was set up anew; if you know why, run \`ssh-keygen -R ${hostOf(address)}\`, then \`ssh ${address}\` once by hand`,
  ],
  [
    /Host key verification failed|No .* host key is known/i,
    (address) => `its host key is not known yet; run \`ssh ${address}\` once by hand, and compare the key`,
  ],
  [
    /Permission denied|Too many authentication failures/i,
    (address) =>
      `ssh was not let in without a password; set up a key with \`ssh-copy-id ${address}\`, and load it if it has a passphrase`,
  ],
  [/Could not resolve hostname/i, (address) => `the name ${hostOf(address)} leads nowhere; check the address`],
  [
    /Connection refused/i,
    (address) =>
      `no ssh server listens at ${hostOf(address)}; switch on Remote Login there (macOS), or install openssh-server`,
  ],
  [
    /timed out|No route to host|Network is unreachable|Host is down|not responding/i,
    (address) => `${hostOf(address)} does not answer; is it on, and on this network?`,
  ],
  [/Connection .*(?:closed|reset)|Broken pipe|kex_exchange/i, () => 'the connection was closed by the other end'],
];

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
