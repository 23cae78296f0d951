import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_TARGETS } from '../../contract/link.ts';
import { keyOf, type LostTarget, ResolvedTargets, type Target, type TargetReference } from '../../contract/targets.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Context } from '../context.ts';
import { createMarkOwn } from './own-places.ts';
import { isFound, type Sight } from './sight.ts';

/** An app can be replaced at any time. The agent compares it when it acts, so an old answer can only lead to a refusal. */
const APP_FRESH_MS = 60_000;
/** Requesters choose the names, so their number is bounded; the oldest are forgotten first. */
const MOST_REMEMBERED = 1_000;
const MOST_IN_ONE_QUESTION = 64;
/** How long the agent may take for one question, and for each further reference in it. */
const PATIENCE_MS = { question: 3_000, reference: 100 };

export type Targets = ReturnType<typeof createTargets>;

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
