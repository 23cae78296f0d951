import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';

const CACHE = join(ROOT, 'node_modules/.cache/handrail-packages');

type Locked = { version: string; integrity?: string };

/**
 * The folder of a package that npm did not install, because its binaries are for another kind of machine. It is fetched in
 * the version of the lock file, checked against the lock file's hash and kept under `node_modules`. Throws when npm cannot
 * fetch it or when its content is another.
 */
export function fetchPackage(name: string): string {
  const locked = lockedPackage(name);
  const kept = join(CACHE, `${name.replace('/', '-')}-${locked.version}`);
  if (!existsSync(kept)) fetchInto(kept, name, locked);
  return kept;
}

function lockedPackage(name: string): Locked {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const locked: Locked | undefined = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`${name} is not in the lock file.`);
  return locked;
}

function fetchInto(kept: string, name: string, { version, integrity }: Locked): void {
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'fetching-'));
  try {
    const [archive = ''] = pack(`${name}@${version}`, scratch);
    const content = readFileSync(join(scratch, archive));
    const found = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    if (integrity !== undefined && found !== integrity) {
      throw new Error(`${name} ${version} is not what the lock file names: its hash is ${found}.`);
    }
    execFileSync('tar', ['-xzf', archive], { cwd: scratch });
    renameSync(join(scratch, 'package'), kept);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The names of the archives that npm wrote into the folder. */
function pack(what: string, folder: string): string[] {
  try {
    const args = ['pack', what, '--json', '--ignore-scripts', '--prefer-offline', '--pack-destination', folder];
    const answer: { filename: string }[] = JSON.parse(
      execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    return answer.map(({ filename }) => filename);
  } catch (error) {
    throw new Error(
      `npm cannot fetch ${what}, which a package for this kind of machine needs. Is the registry in reach?`,
      {
        cause: error,
      },
    );
  }
}
