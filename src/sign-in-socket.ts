import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { descendsFrom, peerProcess } from './socket-peer.ts';

/** A Unix socket's path may have 103 bytes on macOS and 107 on Linux. */
const MAX_PATH_BYTES = 103;
const ANSWER_WITHIN_MS = 5_000;
const CONNECTIONS_AT_ONCE = 8;

/** A socket that cannot be opened, or that nobody answers on. The message says what to do. */
export class SignInSocketError extends Error {
  override readonly name = 'SignInSocketError';
}

/**
 * Where a daemon without a terminal hands out sign-in codes: in its data directory. Where that path is too long for a socket, in a
 * folder under `/tmp` with a name that follows from it, so that the daemon and `npm run login` find the same one.
 */
export function signInSocketPath(dataDirectory: string): string {
  const folder = realpathSync(dataDirectory);
  const inside = join(folder, 'sign-in.sock');
  if (Buffer.byteLength(inside) <= MAX_PATH_BYTES) return inside;
  const name = `handrail-${process.getuid?.() ?? 'me'}-${hash('sha256', folder).slice(0, 16)}`;
  return join('/tmp', name, 'sign-in.sock');
}

/**
 * Answers each connection with a fresh code or a refusal, and closes it. The socket is 0600 in a folder that is 0700. The caller holds the lock
 * of the data directory, so a socket that is there already was left by a daemon that is gone.
 */
export async function openSignInSocket(path: string, createCode: () => string): Promise<{ close(): Promise<void> }> {
  makePrivateFolder(dirname(path));
  removeLeftover(path);
  const server = createServer((socket) => {
    // A client that goes away early has nothing to be told.
    socket.on('error', () => undefined);
    socket.end(mayAsk(socket) ? `code ${createCode()}\n` : REFUSAL);
  });
  server.maxConnections = CONNECTIONS_AT_ONCE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/**
 * A script that gets out of its sandbox, or an app that a requester opened, must not sign in. So a program that this process started,
 * and one that the kernel does not name, gets no code.
 */
function mayAsk(socket: Socket): boolean {
  const peer = peerProcess(socket);
  return peer !== undefined && descendsFrom(peer, process.pid) === false;
}

const REFUSAL = 'refused\n';

/** Asks the daemon of a socket for a fresh sign-in code; answers with the line `code XXXX-XXXX`. */
export async function askForSignInCode(path: string): Promise<string> {
  requirePrivateFolder(dirname(path));
  const socket = createConnection({ path, timeout: ANSWER_WITHIN_MS });
  socket.once('timeout', () => socket.destroy(new Error(`no answer came within ${ANSWER_WITHIN_MS / 1_000} s`)));
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [line = ''] = text.split('\n');
  if (`${line}\n` === REFUSAL)
    throw new SignInSocketError(
      'Handrail gives no sign-in code to a program that it started, or that it cannot name. Use a terminal that you opened yourself.',
    );
  if (!/^code \S+$/.test(line))
    throw new SignInSocketError('The daemon closed the connection without a code. Try again.');
  return line;
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
