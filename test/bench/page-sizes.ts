import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = join(import.meta.dirname, '../../renderer/dist');

/** The gzipped sizes of the scripts of the built page in bytes: the scripts of the first route, and all scripts. */
export function scriptSizes(): { firstRoute: number; all: number } {
  const scripts = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'));
  const sizeOf = (name: string) => gzipSync(readFileSync(join(DIST, 'assets', name)), { level: 9 }).byteLength;
  const index = readFileSync(join(DIST, 'index.html'), 'utf8');
  // The page names its script and every script that this one imports at once.
  const first = scripts.filter((name) => index.includes(name));
  return { firstRoute: sum(first.map(sizeOf)), all: sum(scripts.map(sizeOf)) };
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
