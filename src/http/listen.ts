import { connect } from 'node:net';
import type { App } from './app.ts';
import { portOf } from './guarded-server.ts';
import { LOOPBACK } from './perimeter.ts';

/** Starts listening, on loopback only. Port 0 picks a free one; answers with the port. A taken port is an error. */
export async function listen(app: App, port: number): Promise<number> {
  if (port !== 0 && (await isAnswered(port))) throw new ListenError(port, { code: 'EADDRINUSE' });
  try {
    await app.listen({ host: LOOPBACK, port });
  } catch (error) {
    throw new ListenError(port, error);
  }
  return portOf(app.server);
}

const PROBE_MS = 1_000;

/**
 * Whether another program answers on the port. On macOS a program that listens on all addresses does not keep us from listening
 * on 127.0.0.1 as well, so that two programs would share the port and the failure would be silent.
 */
function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port, timeout: PROBE_MS });
    const answer = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => answer(true));
    // A listener that is too busy to accept is there all the same.
    socket.once('timeout', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

export class ListenError extends Error {
  override readonly name = 'ListenError';

  readonly port: number;

  constructor(port: number, cause: unknown) {
    const taken = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'EADDRINUSE';
    const fix = 'Stop the other program, or set HANDRAIL_PORT to a free port (0 picks one).';
    super(taken ? `Port ${port} on ${LOOPBACK} is taken. ${fix}` : `Cannot listen on ${LOOPBACK}:${port}.`, { cause });
    this.port = port;
  }
}
