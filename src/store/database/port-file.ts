import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'port';

/** Where a daemon listens, and the key of its command line if it has one. */
export type NotedDaemon = { port: number; key?: string };

/**
 * Notes where the daemon of this data directory listens, so that a second start can lead the person to it, and the key with which the
 * person's command line calls it. Both stand in one file: a port of an earlier daemon must not be sent the key of a later one.
 */
export function noteDaemon(dataDirectory: string, { port, key }: NotedDaemon): void {
  const lines = key === undefined ? [port] : [port, key];
  const file = join(dataDirectory, NAME);
  // A new file: an old one, such as from a copy of the folder, may stand open to others.
  rmSync(file, { force: true });
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
}

/** The port and key that the latest daemon of this data directory noted, if any. That daemon may be gone. */
export function notedDaemon(dataDirectory: string): NotedDaemon | undefined {
  try {
    const [, digits, key] =
      /^(\d{1,5})\n(?:([\w-]{43})\n)?$/.exec(readFileSync(join(dataDirectory, NAME), 'utf8')) ?? [];
    const port = Number(digits);
    return port > 0 && port < 65_536 ? { port, key } : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
