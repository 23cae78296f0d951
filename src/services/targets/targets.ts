import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type FileIdentity, OWN_DATA, OWN_PROGRAM, type ResolvedPath } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_TARGETS } from '../../contract/link.ts';
import type { Control, ResolvedApp } from '../../contract/screen.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import { keyOf, type LostTarget, ResolvedTargets, type Target, type TargetReference } from '../../contract/targets.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { isWithin } from '../../domain/catalogue/file-target.ts';
import { programFolder } from '../../launch/assets.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Context } from '../context.ts';

/** An app can be replaced at any time. The agent compares it when it acts, so an old answer can only lead to a refusal. */
const APP_FRESH_MS = 60_000;
/** Requesters choose the names, so their number is bounded; the oldest are forgotten first. */
const MOST_REMEMBERED = 1_000;
const MOST_IN_ONE_QUESTION = 64;
/** How long the agent may take for one question, and for each further reference in it. */
const PATIENCE_MS = { question: 3_000, reference: 100 };

export type Targets = ReturnType<typeof createTargets>;

/** A file or folder of Handrail's own, without links on its path, and its name in sentences. */
export type OwnPlace = { path: string; name: string };

/**
 * The places that no action may touch, and that must stay where they are: Handrail's program with the packages it loads, the program
 * that runs it, and its data.
 */
export function ownPlaces(dataFolder: string): OwnPlace[] {
  const program = realpathSync(programFolder());
  const packages = join(program, 'node_modules');
  const outside = [process.execPath, ...(existsSync(packages) ? [packages] : [])]
    .map((path) => realpathSync(path))
    .filter((path) => !isWithin(path, program));
  return [
    ...[program, ...outside].map((path) => ({ path, name: OWN_PROGRAM })),
    { path: realpathSync(dataFolder), name: OWN_DATA },
  ];
}

/** Whether a path is the other one or lies below it. Names are compared as a Mac's file system does, which ignores case. */
export function isWithinOwn(path: string, folder: string): boolean {
  return isWithin(comparablePath(path), comparablePath(folder));
}

/** The agent does not know where the daemon keeps its data and where its program is, so the daemon marks these places itself. */
export function createMarkOwn({ path: dataFolder }: { path: string }) {
  const places = ownPlaces(dataFolder);
  return (target: Target | LostTarget): Target | LostTarget => {
    if (target.kind === 'path') return { ...target, file: marked(target.file, places) };
    return 'control' in target ? { ...target, control: markedIn(target.control, places) } : target; // guard N30-2
  };
}

/** The same for the file that a dialog takes. */
function markedIn(control: Control, places: readonly OwnPlace[]): Control {
  const { dialog } = control;
  if (dialog?.file === undefined) return control;
  return { ...control, dialog: { ...dialog, file: marked(dialog.file, places) } };
}

function marked({ above = [], ...found }: ResolvedPath, places: readonly OwnPlace[]): ResolvedPath {
  const { inside, digest, ...file } = found;
  const { identity, folder } = file;
  const opened = new Set([...(identity === undefined ? [] : [identity]), folder, ...above].map(spelled));
  const around =
    places.find(({ path }) => isWithinOwn(file.realPath, path)) ??
    places.find((place) => identitiesOf(place).some((own) => opened.has(own))); // guard F12-1
  if (around !== undefined) return { ...file, secret: around.name }; // guard F8-1
  const held = places.find(({ path }) => isWithinOwn(path, file.realPath));
  return held === undefined ? found : { ...found, holds: held.name };
}

/**
 * The place itself and, for the data, each file and folder directly in it: a hard link, or a folder that is mounted a second time, has
 * another path and the same device and inode. They change while the daemon runs, so they are read each time.
 */
function identitiesOf({ path, name }: OwnPlace): string[] {
  const within = name === OWN_DATA && existsSync(path) ? readdirSync(path).map((entry) => join(path, entry)) : [];
  return [path, ...within].flatMap((each) => {
    const facts = lstatSync(each, { bigint: true, throwIfNoEntry: false });
    return facts === undefined ? [] : spelled({ device: String(facts.dev), inode: String(facts.ino) });
  });
}

function spelled({ device, inode }: FileIdentity): string {
  return `${device}:${inode}`;
}

/** The target of each reference, by the key of the reference. */
export type Sight = ReadonlyMap<string, Target | LostTarget>;

/** The sight of nothing: no agent was asked. */
export const NOTHING: Sight = new Map();

/** The targets that were found, and the first reference that leads nowhere. */
export type Seen = { targets: readonly Target[]; lost?: LostTarget | undefined };

/** The part of a sight for some references, in their order. A reference that nobody looked at is neither found nor lost. */
export function seenIn(sight: Sight, references: readonly TargetReference[]): Seen {
  const seen = references.flatMap((reference) => sight.get(keyOf(reference)) ?? []);
  return { targets: seen.filter(isFound), lost: seen.find(isLost) };
}

export function isFound(each: Target | LostTarget): each is Target {
  return each.kind !== 'lost';
}

function isLost(each: Target | LostTarget): each is LostTarget {
  return each.kind === 'lost';
}

/** For the digest of an action: its targets, and the contents that decided about its risk. Nothing for an action without targets. */
export function canonicalTargets(
  targets: readonly Target[],
  { contentsDigest }: { contentsDigest?: string | undefined },
): string | undefined {
  if (targets.length === 0) return undefined;
  const contents = contentsDigest === undefined ? [] : [{ contents: contentsDigest }];
  return canonicalJson([...targets.map(identityOf), ...contents]);
}

/** A target as it is kept with its action. The contents of a file decided about the risk; their digest is enough to compare them. */
export function withoutContents(target: Target): Target {
  if (target.kind !== 'path') return target;
  const { inside: _inside, ...file } = target.file;
  return { ...target, file };
}

/** The facts that an approval is bound to: with others it is another target. */
function identityOf(target: Target): Record<string, unknown> {
  switch (target.kind) {
    case 'app':
      return { kind: target.kind, name: target.name, ...namesOf(target.app) };
    case 'opener':
      return { kind: target.kind, scheme: target.scheme, app: target.app === undefined ? null : namesOf(target.app) };
    case 'window':
      return { kind: target.kind, window: target.window };
    case 'path':
      return { kind: target.kind, realPath: target.file.realPath };
    case 'element':
    case 'point':
    case 'focus':
      return { kind: target.kind, control: target.control };
  }
}

function namesOf({ appName, bundleId, alsoKnownAs }: ResolvedApp) {
  return { appName, bundleId: bundleId ?? null, alsoKnownAs };
}

/** Looks at the targets of actions as they are now: apps, windows and paths. Nothing is done. */
export function createTargets(context: Context, { ask }: Pick<AgentQuestions, 'ask'>) {
  const markOwn = createMarkOwn(context.store);
  const apps = createRemembered(context);

  async function look(
    references: readonly TargetReference[],
    requester: string | undefined,
  ): Promise<readonly (Target | LostTarget)[]> {
    const outcome = await ask({
      type: RESOLVE_TARGETS,
      parameters: { references },
      requester,
      patienceMs: PATIENCE_MS.question + PATIENCE_MS.reference * (references.length - 1),
    });
    return answersTo(references, outcome).map(markOwn);
  }

  return {
    /** The sight of all references, each looked at once: by the agent, or remembered. A reference without an answer is lost. */
    async sight(references: readonly TargetReference[], requester?: string): Promise<Sight> {
      const sight = new Map<string, Target | LostTarget>();
      const toAsk = new Map<string, TargetReference>();
      for (const reference of references) {
        const key = keyOf(reference);
        const known = apps.find(key);
        if (known === undefined) toAsk.set(key, reference);
        else sight.set(key, known);
      }
      for (const question of inQuestions([...toAsk.values()])) {
        const answers = await look(question, requester);
        for (const [index, reference] of question.entries()) {
          const answer = answers[index];
          if (answer === undefined) continue;
          sight.set(keyOf(reference), answer);
          if (answer.kind === 'app') apps.remember(keyOf(reference), answer);
        }
      }
      return sight;
    },
    /** The sight of references that are all remembered, without asking anybody. */
    remembered(references: readonly TargetReference[]): Sight | undefined {
      const known = references.map(keyOf).map((key) => [key, apps.find(key)] as const);
      const found = known.flatMap(([key, target]) => (target === undefined ? [] : [[key, target] as const]));
      return found.length === known.length ? new Map(found) : undefined;
    },
    /** Remembers nothing any longer, because a target was found to be another one. */
    forget: apps.forget,
  };
}

/** The latest answers about apps, by the key of their reference. */
function createRemembered({ clock }: Pick<Context, 'clock'>) {
  const known = new Map<string, { atMs: number; target: Target }>();
  return {
    find(key: string): Target | undefined {
      const { atMs = Number.NEGATIVE_INFINITY, target } = known.get(key) ?? {};
      return clock.monotonicMs() - atMs < APP_FRESH_MS ? target : undefined;
    },
    remember(key: string, target: Target): void {
      known.delete(key);
      known.set(key, { atMs: clock.monotonicMs(), target });
      const [oldest] = known.keys();
      if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    },
    forget: (): void => known.clear(),
  };
}

/** As few questions as fit. Contents are large, so the agent looks into one place for each question. */
function inQuestions(references: readonly TargetReference[]): TargetReference[][] {
  const questions: TargetReference[][] = [];
  for (const reference of references) {
    const last = questions.at(-1);
    const isFull =
      last === undefined || last.length >= MOST_IN_ONE_QUESTION || (isInto(reference) && last.some(isInto));
    if (isFull) questions.push([reference]);
    else last.push(reference);
  }
  return questions;
}

function isInto(reference: TargetReference): boolean {
  return reference.kind === 'path' && reference.into === true;
}

const isResolvedTargets = lazyCheck(ResolvedTargets);

/** The answers in the order of the references. A reference without an answer of its own is lost. */
function answersTo(
  references: readonly TargetReference[],
  outcome: AttemptOutcome | undefined,
): readonly (Target | LostTarget)[] {
  if (outcome?.ok !== true || !isResolvedTargets(outcome.data)) {
    const why = whyNone(outcome);
    return references.map((reference) => ({ kind: 'lost', reference, ...why }));
  }
  const { targets } = outcome.data;
  return references.map((reference, index) => {
    const answer = targets[index];
    if (answer !== undefined && keyOf(isFound(answer) ? answer : answer.reference) === keyOf(reference)) return answer;
    return { kind: 'lost', reference, ...NOT_UNDERSTOOD };
  });
}

const NOT_UNDERSTOOD = {
  code: 'internal_error',
  message: 'The device agent described the target in a way that is not understood; nothing was done.',
} as const;

function whyNone(outcome: AttemptOutcome | undefined): Pick<LostTarget, 'code' | 'message' | 'fix'> {
  if (outcome === undefined) return SILENT;
  if (outcome.ok) return NOT_UNDERSTOOD;
  const { code, message, fix } = outcome;
  return { code, message, fix };
}

const SILENT = {
  code: 'agent_unavailable',
  message: 'The device agent did not look at the target in time; nothing was done.',
  fix: 'Try again in a few seconds.',
} as const;
