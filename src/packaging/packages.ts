import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { ROOT, type Target } from './places.ts';

const CACHE = join(ROOT, 'node_modules/.cache/handrail-packages');

/** Packages that load binaries or start files beside their code, which a bundle has not. */
const OUTSIDE = [/^better-sqlite3$/, /^sharp$/, /^tesseract\.js$/, /^@nut-tree-fork\/libnut-/];

/** Only compilers need them. */
const FOR_BUILDS_ONLY = ['node-addon-api', 'opencollective-postinstall'];

/** Whether an import stays an import in the bundle. */
export function isKeptOutside(id: string): boolean {
  return id === 'electron' || OUTSIDE.some((name) => name.test(id));
}

/** The packages for one kind of machine, without those that they depend on. On macOS the system takes pictures and recognizes text. */
function packagesOf({ platform, arch }: Target): string[] {
  return [
    'better-sqlite3',
    'sharp',
    `@img/sharp-${platform}-${arch}`,
    `@img/sharp-libvips-${platform}-${arch}`,
    ...(platform === 'linux' ? ['@nut-tree-fork/libnut-linux', 'tesseract.js', '@tesseract.js-data/eng'] : []),
  ];
}

const TARGETS: readonly Target[] = [
  { platform: 'linux', arch: 'x64' },
  { platform: 'linux', arch: 'arm64' },
  { platform: 'darwin', arch: 'x64' },
  { platform: 'darwin', arch: 'arm64' },
];

/** The packages that the npm package carries for all machines. npm installs sharp, which is a different package on each machine. */
const CARRIED = [
  'better-sqlite3',
  '@nut-tree-fork/libnut-darwin',
  '@nut-tree-fork/libnut-linux',
  'tesseract.js',
  '@tesseract.js-data/eng',
];

/**
 * Copies the packages that stay outside of the bundle, and those they depend on, for one kind of machine into a folder that is to
 * be a `node_modules`. Only what runs is copied. Packages with binaries for another kind of machine than this one are fetched
 * by npm once; rejects when that fails.
 */
export function copyPackages(target: Target, into: string): Promise<void> {
  return copyAll(packagesOf(target), { targets: [target], into });
}

/** The same for the npm package: it brings the parts that run on any machine that Handrail runs on, and nothing to compile. */
export function copyCarriedPackages(into: string): Promise<void> {
  return copyAll(CARRIED, { targets: TARGETS, into });
}

type Copying = { targets: readonly Target[]; into: string };

async function copyAll(names: readonly string[], { targets, into }: Copying): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  const waiting = [...names];
  const copied = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (copied.has(name)) continue;
    copied.add(name);
    const folder = await folderOf(name);
    copyRunningParts(folder, join(into, name), targets);
    waiting.push(...dependenciesOf(folder));
  }
}

async function folderOf(name: string): Promise<string> {
  const installed = join(ROOT, 'node_modules', name);
  return existsSync(installed) ? installed : fetchPackage(name);
}

/** The packages it depends on, without those inside its own folder, which are copied with it. */
function dependenciesOf(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter(
    (name) => !FOR_BUILDS_ONLY.includes(name) && !existsSync(join(folder, 'node_modules', name)),
  );
}

function copyRunningParts(folder: string, into: string, targets: readonly Target[]): void {
  const hasLicence = readdirSync(folder).some((name) => LICENCE.test(name));
  cpSync(folder, into, {
    recursive: true,
    filter: (path) => {
      const name = basename(path);
      if (statSync(path).isDirectory()) return isRunning(relative(folder, path));
      if (name === 'README.md' && dirname(path) === folder) return !hasLicence;
      return LICENCE.test(name) || (RUNS.test(name) && isFor(path, targets) && !NEVER_READ.test(path));
    },
  });
  removeEmptyFolders(into);
}

const LICENCE = /^(licen[cs]e|notice|third-party|copying)/i;

const RUNS = /\.(js|cjs|mjs|json|node|dylib|gz|wasm)$|\.so(\.\d+)*$/;

function isRunning(folder: string): boolean {
  const last = basename(folder);
  return !['test', 'tests', '__tests__', 'docs', 'benchmarks', 'examples', ...FOR_BUILDS_ONLY].includes(last);
}

/**
 * Forms of the recognition that Node does not load (tesseract.js takes the whole ones there, also for LSTM alone), its data of another
 * quality, forms for browsers, and copies of one library.
 */
const NEVER_READ =
  /\/tesseract\.js-core\/(?!tesseract-core(-simd|-relaxedsimd)?\.(js|wasm)$|index\.js$|package\.json$)|\/eng\/4\.0\.0_best_int\/|\/tesseract\.js\/dist\/|\/zlibjs\/bin\/(?!node-zlib\.js$)|\.min\.js$/;

/** `better-sqlite3` carries the binaries of all machines, each named by its machine. */
function isFor(path: string, targets: readonly Target[]): boolean {
  const isNamed = ({ platform, arch }: Target) => basename(path) === `${platform}-${arch}.node`;
  return basename(dirname(path)) !== 'prebuilds' || targets.some(isNamed);
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

type Locked = { version: string; integrity?: string };

/**
 * The folder of a package that npm did not install, because its binaries are for another kind of machine. It is fetched in
 * the version of the lock file, checked against the lock file's hash and kept under `node_modules`. Throws when npm cannot
 * fetch it or when its content is another.
 */
function fetchPackage(name: string): string {
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
