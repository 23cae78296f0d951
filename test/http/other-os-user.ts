import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Address, type RawResponse, readResponse } from './raw-http.ts';

/** The user that owns nothing, on every Linux. */
export const NOBODY = 65_534;

/** Sends bytes from a process of another OS user and reads the first response. Only root can start such a process. */
export async function sendAs(uid: number, { host, port }: Address, bytes: string | Uint8Array): Promise<RawResponse> {
  const child = runAs(uid, 'exec 3<>"/dev/tcp/$0/$1"; cat >&3; cat <&3', [host, String(port)]);
  if (child.stdout === null) throw new Error('the output of the other user is not a pipe');
  const response = readResponse(child.stdout);
  child.stdin?.end(bytes);
  try {
    return await response;
  } finally {
    child.kill();
  }
}

/** Sends bytes and ends at once, without waiting for an answer; resolves when the process has ended. */
export async function sendAndHangUpAs(uid: number, { host, port }: Address, bytes: string): Promise<void> {
  const child = runAs(uid, 'exec 3<>"/dev/tcp/$0/$1"; printf %s "$2" >&3', [host, String(port), bytes]);
  await once(child, 'exit');
}

/** Runs a shell command as another OS user; answers its output and exit code. */
export async function shellAs(uid: number, command: string): Promise<{ code: number | null; output: string }> {
  const child = runAs(uid, command, []);
  const exited = once(child, 'exit');
  const output = ((await child.stdout?.toArray()) ?? []).join('');
  const [code] = await exited;
  return { code, output };
}

function runAs(uid: number, script: string, args: readonly string[]): ChildProcess {
  if (process.getuid?.() !== 0)
    throw new Error('This test calls as another OS user, which only root can: run it as root, as CI does.');
  // With a socket as input, bash takes itself for a remote login and runs the settings of the user's shell.
  return spawn('bash', ['--norc', '-c', script, ...args], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}
