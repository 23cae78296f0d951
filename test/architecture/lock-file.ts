import { readFileSync } from 'node:fs';

/** The part of a version 3 lock file that matters here; other properties are kept as they are. */
export type LockFile = { packages: Record<string, LockedPackage> };

type LockedPackage = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  /** A package may name its only platform without a list around it, and `!` before one that it does not run on. */
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
  engines?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
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

/** The platforms that Handrail has a Node for. */
const OURS = { os: ['linux', 'darwin'], cpu: ['x64', 'arm64'] };

/**
 * The lock file in which an optional package that only packages for foreign platforms need is for such a platform itself. npm up
 * to 11.6 skips the packages for another platform and installs what they need.
 */
export function withForeignPlatforms(lock: LockFile): LockFile {
  const packages = { ...lock.packages };
  const needed = neededBy(packages);
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const [path, entry] of Object.entries(packages)) {
      const dependents = needed.get(path)?.map((dependent) => packages[dependent]) ?? [];
      const [first] = dependents;
      if (entry.optional !== true || isForeign(entry) || first === undefined || !dependents.every(isForeign)) continue;
      const { os, cpu } = first;
      packages[path] = { ...entry, ...(cpu && { cpu }), ...(os && { os }) };
      isMore = true;
    }
  }
  return { ...lock, packages };
}

function isForeign(entry: LockedPackage | undefined): boolean {
  const { os, cpu } = entry ?? {};
  const misses = (wanted: string | string[] = [], ours: readonly string[]) => {
    const names = [wanted].flat();
    return names.length > 0 && !names.some((name) => name.startsWith('!') || ours.includes(name));
  };
  return misses(os, OURS.os) || misses(cpu, OURS.cpu);
}

/** The paths of the packages that need each package, by its path. */
function neededBy(packages: LockFile['packages']): Map<string, string[]> {
  const needed = new Map<string, string[]>();
  for (const [path, { dependencies, optionalDependencies, peerDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = placeOf(packages, path, name);
      if (found !== undefined) needed.set(found, [...(needed.get(found) ?? []), path]);
    }
  }
  return needed;
}

function isLocked(packages: LockFile['packages'], from: string, name: string): boolean {
  return placeOf(packages, from, name) !== undefined;
}

/** Where Node's way of looking for a package, from a folder upward, comes to one. */
function placeOf(packages: LockFile['packages'], from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in packages) return path;
  if (from === '') return undefined;
  return placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
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
