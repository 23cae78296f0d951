import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type OwnXLine, openXLine } from '../x-session.ts';
import { type FakeEvent, wireOf } from './fake-events.ts';

/**
 * Lets go of held keys and buttons when this process dies, also by a kill that it cannot notice. The X server keeps a key of a lost program
 * down. So a program of its own holds a connection to the server, and at the end of its input it writes the last
 * requests that it got there: `tail -c` does just that.
 */
export type ReleaseGuard = {
  /** Resolves when the guard has the events to post if this process dies. With an empty list it posts nothing. */
  arm(releases: readonly FakeEvent[]): Promise<void>;
  /** Somebody ended it. */
  isLost(): boolean;
  close(): Promise<void>;
};

/** More keys and buttons than a hand has fingers. */
const MOST_HELD = 40;
const REQUEST_BYTES = 36;
const NO_OPERATION = 127;

/** `display` is the server that the guard writes to, `opcode` the number that this server has for XTEST. Rejects where it cannot start. */
export async function startReleaseGuard(display: string, opcode: number): Promise<ReleaseGuard> {
  const line = await openXLine(display);
  const child = spawnTail(line);
  await once(child, 'spawn');
  child.unref();
  // A guard that was ended is noticed before the next key is pressed.
  child.stdin?.on('error', () => undefined);
  const isLost = () => child.exitCode !== null || child.signalCode !== null;
  return {
    isLost,
    arm: (releases) => write(child, blockOf(releases, opcode)),
    async close() {
      if (isLost()) return line.close();
      const ended = once(child, 'exit');
      await write(child, blockOf([], opcode));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      line.close();
    },
  };
}

/**
 * In a session of its own, so that it outlives this process when the whole group is killed. The server drops what it has not read of a
 * connection that is closed (xserver, os/connection.c), so the connection stays open for a moment.
 */
function spawnTail(line: OwnXLine): ChildProcess {
  const script = `tail -c ${MOST_HELD * REQUEST_BYTES}; exec sleep 1`;
  return spawn('sh', ['-c', script], { stdio: ['pipe', line.socket, 'ignore'], detached: true });
}

function write(child: ChildProcess, block: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdin?.write(block, (error) => (error ? reject(error) : resolve()));
  });
}

/** Requests of equal length, the rest of them without effect. */
function blockOf(releases: readonly FakeEvent[], opcode: number): Buffer {
  if (releases.length > MOST_HELD) throw new Error(`expected at most ${MOST_HELD} held keys, got ${releases.length}`);
  return Buffer.concat(Array.from({ length: MOST_HELD }, (_, index) => requestOf(releases[index], opcode)));
}

function requestOf(event: FakeEvent | undefined, opcode: number): Buffer {
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeUInt16LE(REQUEST_BYTES / 4, 2);
  if (event === undefined) {
    request[0] = NO_OPERATION;
    return request;
  }
  const { type, detail } = wireOf(event);
  request[0] = opcode;
  request[1] = 2;
  request[4] = type;
  request[5] = detail;
  return request;
}
