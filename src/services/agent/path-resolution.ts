import { realpathSync } from 'node:fs';
import type { ActionError } from '../../contract/action.ts';
import { type ResolvedPath, ResolvedPaths } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_PATHS } from '../../contract/link.ts';
import { isWithin } from '../../domain/catalogue/file-target.ts';
import { actionError } from '../actions/action-error.ts';
import type { Context } from '../context.ts';
import type { AttemptOutcome } from './port.ts';
import type { AgentQuestions } from './questions.ts';

/** Files change all the time. The agent compares again when it acts, so an old answer can only lead to a refusal. */
const FRESH_MS = 2_000;
/** Requesters choose the paths, so their number is bounded; the oldest are forgotten first. */
const MOST_REMEMBERED = 2_000;
const MOST_IN_ONE_QUESTION = 64;

/** When a question was asked, and how often all answers had been forgotten by then. */
type Moment = { atMs: number; forgotten: number };

export type PathAnswer = { ok: true; file: ResolvedPath } | { ok: false; error: ActionError };

export type PathResolution = ReturnType<typeof createPathResolution>;

/** The latest answers about paths. */
export type KnownPaths = Pick<PathResolution, 'find'>;

/** Asks the agent where paths lead, and remembers the answers for a moment. */
export function createPathResolution({ clock, store }: Context, { ask }: Pick<AgentQuestions, 'ask'>) {
  const ownFolder = realpathSync(store.path);
  const known = new Map<string, { askedAt: Moment; answer: PathAnswer }>();
  let forgotten = 0;

  function remember(path: string, askedAt: Moment, answer: PathAnswer): void {
    known.delete(path);
    known.set(path, { askedAt, answer });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
  }

  async function look(paths: readonly string[]): Promise<void> {
    const askedAt = { atMs: clock.monotonicMs(), forgotten };
    // The question changes nothing, so no risk is too high for it.
    const outcome = await ask({ type: RESOLVE_PATHS, parameters: { paths: [...paths] }, riskLevel: 'critical' });
    const answers = answersIn(outcome);
    for (const path of paths) remember(path, askedAt, withOwn(answers.get(path) ?? noAnswer(outcome), ownFolder));
  }

  const isFresh = (path: string) => {
    const askedAt = known.get(path)?.askedAt;
    return askedAt?.forgotten === forgotten && clock.monotonicMs() - askedAt.atMs < FRESH_MS;
  };

  return {
    /** Looks some paths up. Resolves once there is an answer for each, also where the agent gave none. */
    async learn(paths: Iterable<string>): Promise<void> {
      const unknown = [...new Set(paths)].filter((path) => !isFresh(path));
      for (let from = 0; from < unknown.length; from += MOST_IN_ONE_QUESTION)
        await look(unknown.slice(from, from + MOST_IN_ONE_QUESTION));
    },
    /** Whether each of these paths was looked up a moment ago. */
    isKnown: (paths: readonly string[]): boolean => paths.every(isFresh),
    /** Where a path leads, as last seen; nothing for a path that was not looked up. */
    find: (path: string): PathAnswer | undefined => known.get(path)?.answer,
    /** Makes every answer stale, because files have changed. That counts for questions that are under way too. */
    forget(): void {
      forgotten += 1;
    },
  };
}

/** The agent does not know where the daemon keeps its data, so the daemon marks its own folder as secret. */
function withOwn(answer: PathAnswer, ownFolder: string): PathAnswer {
  if (!answer.ok || !isWithin(answer.file.realPath, ownFolder)) return answer;
  return { ok: true, file: { ...answer.file, secret: "Handrail's own data" } };
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
