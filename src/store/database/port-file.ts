import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'port';

/** Notes where the daemon of this data directory listens, so that a second start can lead the person to it. */
export function notePort(dataDirectory: string, port: number): void {
  writeFileSync(join(dataDirectory, NAME), `${port}\n`, { mode: 0o600 });
}

/** The port that the latest daemon of this data directory listened on, if one was noted. That daemon may be gone. */
export function notedPort(dataDirectory: string): number | undefined {
  try {
    const port = Number(readFileSync(join(dataDirectory, NAME), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
