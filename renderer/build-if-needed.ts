import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Builds the page into `dist` when it is absent or older than its sources, and says so on standard error only. Without
 * Vite (an installation for production) it stays as it is. Throws when the sources do not build.
 */
export function buildPageIfNeeded(folder: string = import.meta.dirname): 'fresh' | 'built' | 'cannot build' {
  if (builtAtMs(folder) > changedAtMs(folder)) return 'fresh';
  const vite = programOfVite();
  if (vite === undefined) {
    process.stderr.write('The page cannot be built: Vite is not installed. Run `npm ci`, then `npm run build`.\n');
    return 'cannot build';
  }
  process.stderr.write('Building the page, once.\n');
  buildBeside(folder, vite);
  return 'built';
}

const NOT_SOURCES = ['dist', '.vite', 'node_modules'];

/** 0 when there is none. */
function builtAtMs(folder: string): number {
  return statSync(join(folder, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When a file or folder below this folder changed last, in milliseconds since 1970. Folders of built files do not count. */
export function changedAtMs(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !NOT_SOURCES.includes(name));
  const times = entries.map((entry) => {
    const path = join(folder, entry.name);
    const { mtimeMs } = statSync(path);
    return entry.isDirectory() ? Math.max(mtimeMs, changedAtMs(path)) : mtimeMs;
  });
  return Math.max(0, ...times);
}

function programOfVite(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Builds the page beside the old one and then swaps the folders, because another process may be serving or building it: that
 * process sees the whole old page or the whole new one.
 */
function buildBeside(folder: string, vite: string): void {
  const scratch = join(folder, '.vite', `build-${process.pid}`);
  const [fresh, stale] = [join(scratch, 'fresh'), join(scratch, 'stale')];
  mkdirSync(scratch, { recursive: true });
  try {
    const args = [vite, 'build', folder, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
    // Tests have another NODE_ENV, and with that React would be built for developers.
    const env = { ...process.env, NODE_ENV: 'production' };
    const { status, error } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`The page does not build; see the output of Vite above.`, { cause: error });
    if (existsSync(join(folder, 'dist'))) renameSync(join(folder, 'dist'), stale);
    renameSync(fresh, join(folder, 'dist'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) buildPageIfNeeded();
