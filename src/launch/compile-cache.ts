import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** No requester may write to a folder of this name: `secret-paths.ts` lists it. */
const NAME = 'handrail-compiled-code';

type Place = { platform: NodeJS.Platform; environment: NodeJS.ProcessEnv; home: string };

/**
 * The folder for compiled code; `undefined` where Node's own choice, below the system's folder for temporary files, is private to the
 * OS user. On Linux that folder is shared, so another OS user could put code there that the daemon would run.
 */
export function compileCacheFolder({ platform, environment, home }: Place): string | undefined {
  if (platform !== 'linux') return undefined;
  const { XDG_CACHE_HOME: cache = '' } = environment;
  return join(isAbsolute(cache) ? cache : join(home, '.cache'), NAME);
}

/**
 * Keeps compiled code, so that the next start is faster. Keeps none in a folder that another OS user owns or can write to, and none under
 * Electron, where this was not tried.
 */
export function keepCompiledCode(): void {
  if ('electron' in process.versions) return;
  const folder = compileCacheFolder({ platform: process.platform, environment: process.env, home: homedir() });
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (folder === undefined || isPrivate(folder)) enableCompileCache(folder);
  } catch {
    // A home that cannot be written to, for instance.
  }
}

const WRITABLE_BY_OTHERS = 0o022;

function isPrivate(folder: string): boolean {
  const facts = lstatSync(folder);
  return facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & WRITABLE_BY_OTHERS) === 0;
}
