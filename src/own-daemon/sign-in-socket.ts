import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { descendsFrom, peerProcess } from './socket-peer.ts';

/** A Unix socket's path may have 103 bytes on macOS and 107 on Linux. */
const MAX_PATH_BYTES = 103;
const ANSWER_WITHIN_MS = 5_000;
const CONNECTIONS_AT_ONCE = 8;
/** The longest question is `resume` with a sign-in code. */
const MAX_QUESTION_BYTES = 64;

/** The verbs of the person at the command line. None of them approves anything. */
export type Verb = 'login' | 'pause' | 'resume' | 'status';

/** An answer is the text of one line, or the reason why the daemon does not do it. */
export type VerbAnswer = { done: string } | { refused: string };
/** `words` is the rest of the question, such as a sign-in code. A verb that is absent is refused. */
export type Verbs = Partial<Record<Verb, (words: string) => VerbAnswer | Promise<VerbAnswer>>>;

/** A socket that cannot be opened, or that nobody answers on. The message says what to do. */
export class SignInSocketError extends Error {
  override readonly name = 'SignInSocketError';
}

/**
 * Where a daemon answers the person's command line: in its data directory. Where that path is too long for a socket, in a
 * folder under `/tmp` with a name that follows from it, so that the daemon and the command line find the same one.
 */
export function signInSocketPath(dataDirectory: string): string {
  const folder = realpathSync(dataDirectory);
  const inside = join(folder, 'sign-in.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH_BYTES) return inside;
  const name = `handrail-${process.getuid?.() ?? 'me'}-${hash('sha256', folder).slice(0, 16)}`;
  return join('/tmp', name, 'sign-in.sock');
}

/**
 * Reads one line from each connection, such as `login`, answers with one line and closes it. The socket is 0600 in a folder that is
 * 0700. The caller holds the lock of the data directory, so a socket that is there already was left by a daemon that is gone.
 */
export async function openSignInSocket(path: string, verbs: Verbs): Promise<{ close(): Promise<void> }> {
  makePrivateFolder(dirname(path));
  removeLeftover(path);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // Looked up before anything is awaited: the process may end, and its id pass to another one.
    void serve(socket, isStranger(socket) ? verbs : withoutProof(verbs));
  });
  server.maxConnections = CONNECTIONS_AT_ONCE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Asks the daemon of a socket for a fresh sign-in code; answers with the line `code XXXX-XXXX`. */
export async function askForSignInCode(path: string): Promise<string> {
  const code = await askDaemon(path, 'login');
  if (!/^\S+$/.test(code)) throw new SignInSocketError('The daemon closed the connection without a code. Try again.');
  return `code ${code}`;
}

/** Sends one verb to the daemon of a socket. Throws SignInSocketError with the daemon's reason where it does not do it. */
export async function askDaemon(path: string, verb: Verb, words = ''): Promise<string> {
  requirePrivateFolder(dirname(path));
  const socket = createConnection({ path, timeout: ANSWER_WITHIN_MS });
  socket.once('timeout', () => socket.destroy(new Error(`no answer came within ${ANSWER_WITHIN_MS / 1_000} s`)));
  socket.setEncoding('utf8');
  socket.end(`${verb} ${words}`.trimEnd().concat('\n'));
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [line = ''] = text.split('\n');
  const [, kind, rest = ''] = /^(done|refused)(?: (.*))?$/.exec(line) ?? [];
  if (kind === 'done') return rest;
  if (kind === 'refused') throw new SignInSocketError(rest);
  throw new SignInSocketError('The daemon closed the connection without an answer. Try again.');
}

/**
 * A script that gets out of its sandbox, or an app that a requester opened, must not sign in or end the stop. So this is refused to a
 * program that this process started, and to one that the kernel does not name. The stop itself is open to every one.
 */
function isStranger(socket: Socket): boolean {
  const peer = peerProcess(socket);
  return peer !== undefined && descendsFrom(peer, process.pid) === false;
}

const OWN_CHILD = 'to a program that it started, or that it cannot name. Use a terminal that you opened yourself.';

function withoutProof(verbs: Verbs): Verbs {
  return {
    ...verbs,
    login: () => ({ refused: `Handrail gives no sign-in code ${OWN_CHILD}` }),
    resume: () => ({ refused: `Handrail gives no end of the stop ${OWN_CHILD}` }),
  };
}

async function serve(socket: Socket, verbs: Verbs): Promise<void> {
  // A client that goes away early has nothing to be told.
  socket.on('error', () => undefined);
  // In all, so that a program which sends a byte now and then cannot keep the places of others.
  const deadline = setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS);
  socket.once('close', () => clearTimeout(deadline));
  const question = await firstLine(socket);
  if (question !== undefined) socket.end(`${await answerTo(question, verbs)}\n`, () => socket.destroy());
}

/** `undefined` where the client closes without a whole line, or sends too much. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part.slice(0, MAX_QUESTION_BYTES + 1);
      const [line = '', ...rest] = text.split('\n');
      if (line.length > MAX_QUESTION_BYTES) socket.destroy();
      if (rest.length === 0) return;
      socket.pause();
      resolve(line);
    });
    socket.once('end', () => socket.destroy());
    socket.once('close', () => resolve(undefined));
  });
}

async function answerTo(question: string, verbs: Verbs): Promise<string> {
  const [, name = '', words = ''] = /^([a-z]+)(?: ([\w-]+))?$/.exec(question) ?? [];
  const verb = isVerb(name) ? verbs[name] : undefined;
  if (verb === undefined) return 'refused This Handrail does not know that command.';
  try {
    const answer = await verb(words);
    return 'done' in answer ? `done ${answer.done}` : `refused ${answer.refused}`;
  } catch (error) {
    return `refused ${error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)}`;
  }
}

const VERBS: readonly string[] = ['login', 'pause', 'resume', 'status'] satisfies Verb[];

function isVerb(name: string): name is Verb {
  return VERBS.includes(name);
}

function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  requirePrivateFolder(folder);
}

/** In `/tmp` every user may have made the folder first. */
function requirePrivateFolder(folder: string): void {
  const stats = lstatSync(folder);
  const isOurs = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  if (isOurs) return;
  throw new SignInSocketError(`${folder} should be a folder that is yours alone (0700). Remove it and try again.`);
}

function removeLeftover(path: string): void {
  const stats = statsOf(path);
  if (stats === undefined) return;
  if (!stats.isSocket()) throw new SignInSocketError(`${path} should be a socket. Remove it and start again.`);
  unlinkSync(path);
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
