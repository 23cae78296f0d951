import { readFileSync } from 'node:fs';

/** The part of a version 3 lock file that matters here; other properties are kept as they are. */
export type LockFile = { packages: Record<string, LockedPackage> };

type LockedPackage = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const LIBRARIES: Record<string, string> = { musl: 'musl', musleabihf: 'musl', gnu: 'glibc', gnueabihf: 'glibc' };

export function readLockFile(file: URL): LockFile {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * The optional packages, such as binaries for other platforms, that a locked package names and the lock file does not
 * have. Npm leaves those out that the registry at hand lacks, and then `npm ci` refuses the lock file for that.
 */
export function unlockedOptionals({ packages }: LockFile): Record<string, LockedPackage> {
  const missing = Object.entries(packages).flatMap(([path, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, version]) => [`node_modules/${name}`, entryOf({ name, version, dev: dev === true })] as const),
  );
  return Object.fromEntries(missing);
}

/**
 * The lock file without the `engines` of optional packages. npm leaves an optional package out, silently, when the Node
 * that npm runs on is not in its `engines`. Ours run on the Node of this project, which is in all of them.
 */
export function withoutOptionalEngines(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).map(
    ([path, entry]) => [path, entry.optional === true ? withoutEngines(entry) : entry] as const,
  );
  return { ...lock, packages: Object.fromEntries(packages) };
}

function withoutEngines({ engines: _left, ...kept }: LockedPackage): LockedPackage {
  return kept;
}

/** Whether Node's way of looking for a package, from a folder upward, comes to one. */
function isLocked(packages: LockFile['packages'], from: string, name: string): boolean {
  if (`${from === '' ? '' : `${from}/`}node_modules/${name}` in packages) return true;
  if (from === '') return false;
  return isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** Without a digest, which only a registry that has the package could tell. The platform is in the package's name. */
function entryOf({ name, version, dev }: { name: string; version: string; dev: boolean }): LockedPackage {
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`expected an exact version of ${name}, got ${version}`);
  const words = name.split(/[-/]/);
  const [os, cpu] = [SYSTEMS, PROCESSORS].map((known) => words.filter((word) => known.includes(word)));
  const libc = os?.includes('linux') ? words.flatMap((word) => LIBRARIES[word] ?? []) : [];
  return {
    version,
    ...(cpu?.length ? { cpu } : {}),
    ...(dev ? { dev } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os?.length ? { os } : {}),
  };
}
