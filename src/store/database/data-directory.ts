import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A data directory that others could read or redirect, and that could not be made safe. */
class UnsafeDataDirectory extends Error {
  override name = 'UnsafeDataDirectory';
}

export type DataDirectory = {
  path: string;
  database: string;
  lock: string;
  holder: string;
  artifacts: string;
  /** Former versions of files that actions overwrote. */
  formerVersions: string;
  /** The profile of the browser that shows the dashboard in a window of its own. */
  browserProfile: string;
  /** Where the end of the journal is anchored, and the key that signs its checkpoints. */
  anchor: string;
  key: string;
  /** A second copy of the rules, keys and pauses, for a database that was damaged. */
  protections: string;
  /** A mark. If it exists, the next start rebuilds the database from the rows that can be read. */
  damaged: string;
  /** A file that is written to see whether the disk has room, and then removed. */
  roomProbe: string;
};

const FORMER_VERSIONS = 'former-versions';
const BROWSER_PROFILE = 'browser-profile';
const FOLDERS = new Set(['artifacts', FORMER_VERSIONS, BROWSER_PROFILE]);

/**
 * Makes the data directory and makes it private: directories 0700, files 0600. Wider permissions are narrowed. A path that
 * belongs to another user, is a symbolic link, or is not of the expected kind is refused.
 */
export function prepareDataDirectory(path: string): DataDirectory {
  const artifacts = join(path, 'artifacts');
  makeFolder(path);
  makeFolder(artifacts);
  makeFolder(join(path, FORMER_VERSIONS));
  tighten(path, 'directory');
  for (const name of readdirSync(path)) tighten(join(path, name), FOLDERS.has(name) ? 'directory' : 'file');
  const directory = dataDirectoryAt(path);
  for (const file of [directory.database, directory.lock, directory.anchor, directory.key, directory.protections])
    refuseFolder(file);
  privateFile(directory.database);
  privateFile(directory.lock);
  return directory;
}

function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new UnsafeDataDirectory(`${path} should be a file; move that folder away and start again`);
}

function makeFolder(path: string): void {
  try {
    makeMissing(resolve(path));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'set HANDRAIL_DATA_DIR to a folder that is yours to write, or leave it out';
    throw new UnsafeDataDirectory(`${path} cannot be made a folder (${why}); ${remedy}`, { cause });
  }
}

/** The system's own recursive mkdir never returns where a folder exists but takes no folders, as /proc does. */
function makeMissing(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) makeOne(folder);
}

/** Another process may make the same folder at the same time. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The paths of the files and folders in a data directory. */
export function dataDirectoryAt(path: string): DataDirectory {
  return {
    path,
    database: join(path, 'handrail.db'),
    lock: join(path, 'handrail.lock'),
    holder: join(path, 'handrail.pid'),
    artifacts: join(path, 'artifacts'),
    formerVersions: join(path, FORMER_VERSIONS),
    browserProfile: join(path, BROWSER_PROFILE),
    anchor: join(path, 'journal.anchor'),
    key: join(path, 'journal.key'),
    protections: join(path, 'protections.json'),
    damaged: join(path, 'handrail.db.damaged'),
    roomProbe: join(path, 'room.probe'),
  };
}

/** SQLite gives a journal, WAL and SHM the mode of the file they belong to; so that one must be private from the first. */
export function privateFile(path: string): void {
  closeSync(openSync(path, constants.O_CREAT | constants.O_RDONLY | constants.O_NOFOLLOW, 0o600));
}

function tighten(path: string, kind: 'directory' | 'file'): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) throw new UnsafeDataDirectory(`${path} is a symbolic link; move it away and start again`);
  if (kind === 'directory' && !stats.isDirectory()) throw new UnsafeDataDirectory(`${path} should be a directory`);
  if (kind === 'file' && stats.nlink > 1 && stats.isFile()) {
    throw new UnsafeDataDirectory(`${path} has a second name (hard link); move it away and start again`);
  }
  if (stats.uid !== process.getuid?.()) {
    throw new UnsafeDataDirectory(`${path} belongs to another user (uid ${stats.uid})`);
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
}

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
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' }); // guard U1-3
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
