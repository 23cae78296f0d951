import { existsSync, realpathSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { ResolvedPath } from '../../src/contract/files.ts';
import {
  type ChangedFile,
  type Contacts,
  MAX_CHANGED_FILES,
  type RunScriptParameters,
  type ScriptResult,
} from '../../src/contract/scripts.ts';
import { runProgram } from '../drivers/exec.ts';
import { automationRemedy } from '../drivers/macos/permissions.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure } from '../drivers/stopping.ts';
import { failed, isFailed, targetChanged } from '../files/failures.ts';
import { judgedPath, ownPlaces } from '../files/judged-file.ts';
import { type Home, personsHome } from '../files/resolve-paths.ts';
import { rememberSecret } from '../files/secrets.ts';
import { type Aftermath, clearUp, movedSecrets, NOTHING_LEFT } from './aftermath.ts';
import { keepPlace, lookOver, MOST_ENTRIES, type Overview } from './look-over.ts';
import { isRepositoryName } from './repositories.ts';
import { isSandboxed, macPrograms, runInSandbox, type SandboxSystem, unsupportedHere } from './run-in-sandbox.ts';
import { LIMIT_REACHED, type SandboxedRun } from './run-sandboxed.ts';
import { foldersAbove, type Sandbox, type WritablePath } from './sandbox.ts';

/** More places to hide cost too much time; such a folder is no place for a script. */
const MOST_HIDDEN = 500;
const MOST_PROTECTED = 500;
const TAIL_CHARACTERS = 4_000;

/** Tests replace the person's home folder, the internet and the programs of macOS. */
type Surroundings = SandboxSystem & { home?: Home };

type Writable = { folder?: string; writable: WritablePath[] };

/** The places that the script may write, as they were judged. A place that holds too much to be opened to a script is refused. */
function writablePaths({ folder, writes = [] }: RunScriptParameters, attempt: Attempt, home: Home): Writable | Failed {
  const writable: WritablePath[] = [];
  for (const path of [...(folder === undefined ? [] : [folder]), ...writes]) {
    const judged = judgedPath(attempt, path);
    if (isFailed(judged)) return judged;
    const one = writablePath(judged, home);
    if (isFailed(one)) return one;
    if (path === folder && one.kind !== 'folder') return failed('invalid_target', `${one.path} is no folder.`);
    writable.push(one);
  }
  return folder === undefined ? { writable } : { folder: writable[0]?.path ?? folder, writable };
}

function writablePath({ realPath, kind, identity }: ResolvedPath, home: Home): WritablePath | Failed {
  if (kind === 'missing') {
    const fix = 'Create it first, or name the folder that is to hold it.';
    return failed('invalid_target', `${realPath} does not exist.`, { fix });
  }
  if (kind === 'special' || identity === undefined) return targetChanged(realPath);
  if (!isTooWide(realPath, home)) return { path: realPath, kind, identity };
  const fix = 'Name a folder of its own, such as one in Documents.';
  return failed('invalid_target', `${realPath} holds too much to let a script write there.`, { fix });
}

const SYSTEM =
  /^\/(?:usr|bin|sbin|lib\w*|etc|boot|run|proc|sys|dev|System|Library|Applications|private\/(?:etc|var\/db))(?:\/|$)/u;

/** The home folder itself, the folders above it, the top of the disk, each folder directly in it, and every folder of the system. */
function isTooWide(realPath: string, home: Home): boolean {
  const isTop = realPath.lastIndexOf('/') === 0;
  return isTop || SYSTEM.test(realPath) || `${realHome(home)}/`.startsWith(`${realPath}/`);
}

function realHome({ path }: Home): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const GIT_TIMEOUT_MS = 3_000;

/** Settings whose values name other repositories and folders of work, from which Git runs nothing. */
const HARMLESS =
  /^(?:core\.worktree|user\..*|branch\..*|remote\..*\.(?:url|pushurl|fetch|push)|submodule\..*\.(?:url|path))$/u;

/**
 * Keeps the places in the folders of a script that settings of Git name, such as `core.hooksPath` and `include.path`: programs of
 * the person run commands from them. Answers all of them, also those that are not there yet.
 */
async function keepPlacesOfSettings(
  roots: readonly string[],
  overview: Overview,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const root of roots) for (const path of await placesAround(root, signal)) named.add(path);
  for (const repository of overview.repositories.keys()) {
    const bases = [dirname(repository), repository];
    for (const path of await placesOf(dirname(repository), bases, signal)) named.add(path);
  }
  const within = [...named].filter((path) => roots.some((root) => path.startsWith(`${root}/`)));
  for (const path of within) await keepPlace(path, overview);
  return new Set(within);
}

/** A folder of a script can be a part of a repository that begins above it. */
async function placesAround(folder: string, signal: AbortSignal): Promise<string[]> {
  const bases = await git(folder, ['rev-parse', '--show-toplevel', '--absolute-git-dir'], signal);
  return placesOf(folder, bases.split('\n').filter(isAbsolute), signal);
}

/**
 * The paths that the settings of a repository may mean. A path need not exist. Git itself reads the settings, with every file that they
 * include. `bases`: the folders that a relative path may start from.
 */
async function placesOf(folder: string, bases: readonly string[], signal: AbortSignal): Promise<string[]> {
  const settings = await git(folder, ['config', '--list', '-z'], signal);
  return settings.split('\0').flatMap((entry) => {
    const end = entry.indexOf('\n');
    if (end < 0 || HARMLESS.test(entry.slice(0, end))) return [];
    const words = wordsOf(entry.slice(0, end), entry.slice(end + 1));
    return words.flatMap((word) => (isAbsolute(word) ? [normalize(word)] : bases.map((base) => join(base, word))));
  });
}

const PATHS = /^(?:core\.hookspath|include(?:if\..*)?\.path)$/iu;

/**
 * The paths in a setting, which is one or a command line. A word alone, such as a name of a branch, means a file only where a path is
 * expected, or where a command gets a name with an ending.
 */
function wordsOf(name: string, value: string): string[] {
  const words = value.split(/[\s"'`;|&()<>]+/u).map((word) => word.replace(/^!/u, ''));
  const isFile = (word: string) => word.includes('/') || (words.length > 1 && /\w\.\w+$/u.test(word));
  const found = PATHS.test(name) ? [value, ...words.filter(isFile)] : words.filter(isFile);
  return found.filter((word) => word.length <= 4_096).map((word) => word.replace(/^~(?=\/)/u, homedir()));
}

async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_OPTIONAL_LOCKS: '0' };
  const run = {
    program: 'git',
    args: ['--no-pager', '-C', folder, ...args],
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
    environment,
  };
  const ended = await runProgram(run);
  return ended.kind === 'exited' && ended.exitCode === 0 ? ended.stdout : '';
}

/** Runs a script in the sandbox of the operating system, and answers what it printed and which files it changed. */
export async function runScript(
  parameters: RunScriptParameters,
  attempt: Attempt,
  { home = personsHome(), mac = macPrograms(), ...surroundings }: Surroundings = {},
): Promise<Outcome<ScriptResult>> {
  const system = { ...surroundings, mac };
  const unsupported = unsupportedHere(parameters.interpreter, system);
  if (unsupported !== undefined) return failed('not_supported', unsupported);
  const place = writablePaths(parameters, attempt, home);
  if (isFailed(place)) return place;
  const writable = place.writable.map(({ path }) => path);
  const look = { home, signal: attempt.signal, skip: ownPlaces(attempt), writable };
  const before = await overviewOf(place, look);
  if (isFailed(before)) return before;
  for (const mark of before.hiddenMarks.values()) rememberSecret(mark);
  const named = await keepPlacesOfSettings(folders(place), before, attempt.signal);
  const rights = rightsOf({ place, before, attempt, environment: parameters.env ?? {} });
  if (isFailed(rights)) return rights;
  const startedAt = performance.now();
  const { run, contacts } = await runInSandbox(rights, { ...parameters, signal: attempt.signal }, system);
  const durationMs = Math.round(performance.now() - startedAt);
  const hasBegun = run.kind === 'ran' || (run.kind === 'ended' && run.hasBegun);
  const hidden = [...look.skip, ...before.hidden.map(({ path }) => path)];
  const traces = { ...before, roots: folders(place), hidden, named, writable };
  const aftermath = hasBegun ? await clearUp(traces) : NOTHING_LEFT;
  if (run.kind !== 'ran') return said(notRun(run, attempt, place), aftermath);
  const skip = new Set(hidden);
  const after = await lookOver(folders(place), { ...look, skip });
  const drivesApps = !isSandboxed(parameters.interpreter);
  return answered(run, { before, after, aftermath, durationMs, contacts, drivesApps });
}

function said(failure: Failed, { sentences }: Aftermath): Failed {
  return { ...failure, message: [failure.message, ...sentences].join(' ') };
}

/** Places that the daemon wants hidden wherever they are: its own data. */
function folders({ writable }: Writable): string[] {
  return writable.flatMap(({ path, kind }) => (kind === 'folder' ? path : []));
}

async function overviewOf(
  place: Writable,
  look: { home: Home; signal: AbortSignal; skip: ReadonlySet<string>; writable: readonly string[] },
): Promise<Overview | Failed> {
  const overview = await lookOver(folders(place), look);
  if (overview.end === 'stopped') return stoppedFailure(look.signal, 'none');
  const inside = folders(place).find((path) => isInRepository(path, overview));
  if (inside !== undefined)
    return failed(
      'invalid_target',
      `${inside} is the inside of a repository, from which other programs run commands.`,
      {
        fix: 'Name the folder that holds the repository.',
      },
    );
  const fix = 'Name a smaller folder.';
  if (overview.end === 'too many')
    return failed('too_large', `More than ${MOST_ENTRIES} files are there; nothing was run.`, { fix });
  if (overview.repositories.size > MOST_PROTECTED) return tooManyProtected();
  // guard X8-1
  if (overview.hidden.length > MOST_HIDDEN)
    return failed('too_large', `More than ${MOST_HIDDEN} secret files, sockets or pipes are there.`, { fix });
  return overview;
}

/** A folder whose own entries make it a repository cannot be writable and stay as it is. */
function isInRepository(path: string, { repositories }: Overview): boolean {
  return repositories.has(path) || path.split('/').some(isRepositoryName);
}

type Facts = { place: Writable; before: Overview; attempt: Attempt; environment: Sandbox['environment'] };

function rightsOf({ place, before, attempt, environment }: Facts): Omit<Sandbox, 'interpreter'> | Failed {
  const roots = folders(place);
  const within = [...ownPlaces(attempt)].filter(
    (path) => existsSync(path) && roots.some((root) => path.startsWith(`${root}/`)),
  );
  const hidden = [...before.hidden, ...within.map((path) => ({ path, kind: 'folder' as const }))];
  const rights = { environment, ...place, hidden, readOnly: before.readOnly, identities: before.identities };
  if (before.readOnly.length + foldersAbove(rights).length <= MOST_PROTECTED) return rights;
  return tooManyProtected();
}

function tooManyProtected(): Failed {
  const message = `More than ${MOST_PROTECTED} repositories, settings that start commands and folders above secret files are there; nothing was run.`;
  return failed('too_large', message, { fix: 'Name a smaller folder.' });
}

function notRun(run: Exclude<SandboxedRun, { kind: 'ran' }>, { signal }: Attempt, { writable }: Writable): Failed {
  switch (run.kind) {
    case 'changed':
      return targetChanged(writable.map(({ path }) => path).join(', '));
    case 'ended':
      if (run.excess !== undefined)
        return failed('too_large', `The script was ended because it took ${run.excess}.`, { sideEffect: 'unknown' });
      if (signal.aborted) return stoppedFailure(signal, run.hasBegun ? 'unknown' : 'none');
      return run.hasBegun ? failed('internal_error', ENDED_BY_ANOTHER, { sideEffect: 'unknown' }) : notBegun;
    case 'no_sandbox':
      return withoutSandbox(run.reason);
  }
}

const notBegun = failed('internal_error', 'The sandbox was ended before the script began; nothing was run.');

const ENDED_BY_ANOTHER = 'Another program ended the script while it ran; something may have been done by then.';

function withoutSandbox(reason: string): Failed {
  if (LIMIT_REACHED.test(reason)) {
    const fix = 'End programs that are not needed, or raise the limits (ulimit -u, ulimit -n), and submit it again.';
    return failed('busy', `The system has no room for another process; nothing was run: ${reason}`, { fix });
  }
  return failed('sandbox_unavailable', `Scripts run only in a sandbox, and there is none: ${reason}`, {
    fix: SANDBOX_FIX[process.platform === 'darwin' ? 'macos' : 'linux'],
  });
}

const SANDBOX_FIX = {
  linux: 'Install it: sudo apt-get install bubblewrap. It also needs user namespaces, which some systems switch off.',
  macos: 'It is /usr/bin/sandbox-exec, a part of macOS.',
};

type Looks = {
  before: Overview;
  after: Overview;
  aftermath: Aftermath;
  durationMs: number;
  contacts: Contacts | undefined;
  drivesApps: boolean;
};
type Ran = Extract<SandboxedRun, { kind: 'ran' }>;

const MOST_BYTES = 1_000_000;

type Looked = { files: ReadonlyMap<string, string>; end: Overview['end'] };
type Changes = {
  changedFiles: ChangedFile[];
  changedFilesComplete: boolean;
  /** The number of all changes. The list may hold fewer. */
  found: number;
};

/** The differences between two looks at the same folders, by path. A look that is not whole does not tell which files are gone. */
export function changedFiles({ files: before }: Pick<Looked, 'files'>, { files: after, end }: Looked): Changes {
  const found: ChangedFile[] = [];
  for (const [path, facts] of after) {
    const former = before.get(path);
    if (former !== facts) found.push({ path, change: former === undefined ? 'created' : 'changed' });
  }
  const gone = end === 'whole' ? before.keys() : [];
  for (const path of gone) if (!after.has(path)) found.push({ path, change: 'removed' });
  const sorted = found.toSorted((one, other) => (one.path < other.path ? -1 : 1)).slice(0, MAX_CHANGED_FILES);
  let bytes = 0;
  const kept = sorted.filter((file) => {
    bytes += Buffer.byteLength(JSON.stringify(file));
    return bytes <= MOST_BYTES;
  });
  const changedFilesComplete = end === 'whole' && kept.length === found.length; // guard E2-10
  return { changedFiles: kept, changedFilesComplete, found: found.length };
}

function answered(
  { exitCode, stdout, stderr }: Ran,
  { before, after, aftermath, durationMs, contacts, drivesApps }: Looks,
): Outcome<ScriptResult> {
  const { found, ...changes } = changedFiles(before, after);
  const { renamedByHandrail, removedByHandrail } = aftermath;
  const outputs = (['stdout', 'stderr'] as const).filter((name) => ({ stdout, stderr })[name].bytes.length > 0);
  const signal = signalOf(exitCode);
  const data = {
    exitCode,
    signal,
    durationMs,
    outputs,
    ...(stdout.bytes.length === 0 ? {} : { stdoutTail: endOf(stdout.bytes) }),
    ...(exitCode === 0 || stderr.bytes.length === 0 ? {} : { stderrTail: endOf(stderr.bytes) }),
    cut: (['stdout', 'stderr'] as const).filter((name) => ({ stdout, stderr })[name].isCut),
    network: contacts,
    ...changes,
    ...(renamedByHandrail.length === 0 ? {} : { renamedByHandrail }),
    ...(removedByHandrail.length === 0 ? {} : { removedByHandrail }),
  };
  const attachments = outputs.map(
    (name) => ({ mediaType: 'text/plain', bytes: { stdout, stderr }[name].bytes }) as const,
  );
  const ended = `The script ended with code ${exitCode}; it changed ${countOf(found, after.end)}.`;
  // A script with a sandbox reaches no other app; there the words are only its own.
  const remedy = exitCode !== 0 && drivesApps ? automationRemedy(stderr.bytes.toString()) : undefined;
  const sentences = [...aftermath.sentences, ...movedSecrets(before, after)];
  const details = [ended, ...(remedy === undefined ? [] : [remedy]), ...sentences].join(' ');
  return { ok: true, details, effect: 'confirmed', data, attachments };
}

/** A cut in the middle of a character leaves half of it, which no canonical form has. */
function endOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString().slice(-TAIL_CHARACTERS).toWellFormed();
}

function countOf(found: number, end: Overview['end']): string {
  const count = `${found} ${found === 1 ? 'file' : 'files'}`;
  switch (end) {
    case 'whole':
      return count;
    case 'too many':
      return `at least ${count}, and its folder holds too many to compare them all`;
    case 'stopped':
      return `at least ${count}, and was stopped before all were compared`;
  }
}

/** By the convention of shells a code above 128 tells the signal that ended the program. */
function signalOf(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0];
}
