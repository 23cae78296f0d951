import type { ActionError } from '../../contract/action.ts';
import { type ResolvedPath, ResolvedPaths } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_PATHS } from '../../contract/link.ts';
import { actionError } from '../../domain/action-error.ts';
import type { PathQuestion } from '../../domain/catalogue/definition.ts';
import type { Context } from '../context.ts';
import { isWithinOwn, type OwnPlace, ownPlaces } from '../own-places.ts';
import type { AttemptOutcome } from './port.ts';
import type { AgentQuestions } from './questions.ts';

/** Files change all the time. The agent compares again when it acts, so an old answer can only lead to a refusal. */
const FRESH_MS = 2_000;
/** Requesters choose the paths, so their number is bounded; the oldest are forgotten first. */
const MOST_REMEMBERED = 2_000;
/** The same of answers with contents, which have up to 64 KiB each. A task has at most 100 steps. */
const MOST_WITH_CONTENTS = 256;
const MOST_IN_ONE_QUESTION = 64;

type Known = { askedAt: Moment; answer: PathAnswer };

/** When a question was asked, and how often all answers had been forgotten by then. */
type Moment = { atMs: number; forgotten: number };

export type PathAnswer = { ok: true; file: ResolvedPath } | { ok: false; error: ActionError };

export type PathResolution = ReturnType<typeof createPathResolution>;

/** The latest answers about paths. */
export type KnownPaths = Pick<PathResolution, 'find'>;

/** Asks the agent where paths lead and what is there, and remembers the answers for a moment. */
export function createPathResolution({ clock, store }: Context, { ask }: Pick<AgentQuestions, 'ask'>) {
  const places = ownPlaces(store.path);
  const answers = { plain: new Map<string, Known>(), into: new Map<string, Known>() };
  let forgotten = 0;

  const knownTo = ({ into = false }: PathQuestion) => (into ? answers.into : answers.plain);

  function remember(question: PathQuestion, askedAt: Moment, answer: PathAnswer): void {
    const known = knownTo(question);
    known.delete(question.path);
    known.set(question.path, { askedAt, answer });
    const [oldest] = known.keys();
    const most = question.into === true ? MOST_WITH_CONTENTS : MOST_REMEMBERED;
    if (known.size > most && oldest !== undefined) known.delete(oldest);
  }

  async function look(questions: readonly PathQuestion[]): Promise<void> {
    const askedAt = { atMs: clock.monotonicMs(), forgotten };
    const into = questions.some((question) => question.into === true);
    const paths = questions.map(({ path }) => path);
    // The question changes nothing, so no risk is too high for it.
    const parameters = into ? { paths, into } : { paths };
    const outcome = await ask({ type: RESOLVE_PATHS, parameters, riskLevel: 'critical' });
    const found = answersIn(outcome);
    for (const question of questions)
      remember(question, askedAt, withOwn(found.get(question.path) ?? noAnswer(outcome), places));
  }

  const isFresh = (question: PathQuestion) => {
    const askedAt = knownTo(question).get(question.path)?.askedAt;
    return askedAt?.forgotten === forgotten && clock.monotonicMs() - askedAt.atMs < FRESH_MS;
  };

  return {
    /** Looks some paths up. Resolves once there is an answer for each, also where the agent gave none. */
    async learn(questions: Iterable<PathQuestion>): Promise<void> {
      const unknown = [...questions].filter((question) => !isFresh(question));
      for (const together of inQuestions(unknown)) await look(together);
    },
    /** Whether each of these paths was looked up a moment ago. */
    isKnown: (questions: readonly PathQuestion[]): boolean => questions.every(isFresh),
    /** Where a path leads, as last seen; nothing for a path that was not looked up. */
    find: (question: PathQuestion): PathAnswer | undefined => knownTo(question).get(question.path)?.answer,
    /** Makes every answer stale, because files have changed. That counts for questions that are under way too. */
    forget(): void {
      forgotten += 1;
    },
  };
}

/** Each path once. Contents are large, so the agent looks into one path at a time. */
function inQuestions(questions: readonly PathQuestion[]): PathQuestion[][] {
  const pathsOf = (isInto: boolean) => [
    ...new Set(questions.flatMap(({ path, into = false }) => (into === isInto ? path : []))),
  ];
  const groups: PathQuestion[][] = pathsOf(true).map((path) => [{ path, into: true }]);
  const plain = pathsOf(false).map((path) => ({ path }));
  for (let from = 0; from < plain.length; from += MOST_IN_ONE_QUESTION)
    groups.push(plain.slice(from, from + MOST_IN_ONE_QUESTION));
  return groups;
}

/** The agent does not know where the daemon keeps its data and where its program is, so the daemon marks them. */
function withOwn(answer: PathAnswer, places: readonly OwnPlace[]): PathAnswer {
  if (!answer.ok) return answer;
  const { inside, digest, ...file } = answer.file;
  const around = places.find(({ path }) => isWithinOwn(file.realPath, path));
  if (around !== undefined) return { ok: true, file: { ...file, secret: around.name } };
  const held = places.find(({ path }) => isWithinOwn(path, file.realPath));
  return held === undefined ? answer : { ok: true, file: { ...answer.file, holds: held.name } };
}

const isResolvedPaths = lazyCheck(ResolvedPaths);

/** The answers by path. An agent that fails, or answers in another form, has none. */
function answersIn(outcome: AttemptOutcome | undefined): ReadonlyMap<string, PathAnswer> {
  const found = outcome?.ok === true && isResolvedPaths(outcome.data) ? outcome.data.paths : [];
  return new Map(
    found.map((each) => [
      each.path,
      'realPath' in each
        ? { ok: true, file: each }
        : { ok: false, error: actionError(each.code, each.message, each.fix) },
    ]),
  );
}

/** Why there is no answer for a path. */
function noAnswer(outcome: AttemptOutcome | undefined): PathAnswer {
  if (outcome === undefined) {
    const message = 'The device agent did not say in time where the path leads; nothing was done.';
    return { ok: false, error: actionError('agent_unavailable', message, 'Try again in a few seconds.') };
  }
  if (!outcome.ok) return { ok: false, error: actionError(outcome.code, outcome.message, outcome.fix) };
  const message = 'The device agent answered in an unknown form; nothing was done.';
  return { ok: false, error: actionError('internal_error', message) };
}
