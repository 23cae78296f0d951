import type { App } from './app.ts';
import { portOf } from './guarded-server.ts';
import { LOOPBACK } from './own-address.ts';

/** Starts listening, on loopback only. Port 0 picks a free one; answers with the port. A taken port is an error. */
export async function listen(app: App, port: number): Promise<number> {
  try {
    await app.listen({ host: LOOPBACK, port });
  } catch (error) {
    throw new ListenError(port, error);
  }
  return portOf(app.server);
}

export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(port: number, cause: unknown) {
    const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const fix = 'Stop the other program, or set HANDRAIL_PORT to a free port (0 picks one).';
    super(taken ? `Port ${port} on ${LOOPBACK} is taken. ${fix}` : `Cannot listen on ${LOOPBACK}:${port}.`, { cause });
  }
}
