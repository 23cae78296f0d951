import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Contacts, RunScriptParameters, ScriptResult } from '../../src/contract/scripts.ts';
import { automationRemedy } from '../drivers/macos/permissions.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { stoppedFailure } from '../drivers/stopping.ts';
import { failed, isFailed, targetChanged } from '../files/failures.ts';
import { ownPlaces } from '../files/judged-file.ts';
import { rememberSecret } from '../files/known-secrets.ts';
import { type Home, personsHome } from '../files/resolve-paths.ts';
import { type Aftermath, clearUp, movedSecrets, NOTHING_LEFT } from './aftermath.ts';
import { changedFiles } from './changed-files.ts';
import { lookOver, MOST_ENTRIES, type Overview } from './look-over.ts';
import { isRepositoryName } from './repositories.ts';
import { keepPlacesOfSettings } from './repository-settings.ts';
import { isSandboxed, macPrograms, runInSandbox, type SandboxSystem, unsupportedHere } from './run-in-sandbox.ts';
import { LIMIT_REACHED, type SandboxedRun } from './run-sandboxed.ts';
import { foldersAbove, type Sandbox } from './sandbox.ts';
import { type Writable, writablePaths } from './writable-paths.ts';

/** More places to hide cost too much time; such a folder is no place for a script. */
const MOST_HIDDEN = 500;
const MOST_PROTECTED = 500;
const TAIL_CHARACTERS = 4_000;

/** Tests replace the person's home folder, the internet and the programs of macOS. */
type Surroundings = SandboxSystem & { home?: Home };

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
