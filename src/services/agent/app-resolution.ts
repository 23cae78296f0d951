import { lazyCheck } from '../../contract/lazy-check.ts';
import { RESOLVE_APP } from '../../contract/link.ts';
import { type AppRisk, ResolvedApp } from '../../contract/screen.ts';
import type { Context } from '../context.ts';
import type { AgentPort, AttemptOutcome } from './port.ts';
import type { AgentQuestions } from './questions.ts';

/** An app can be replaced at any time. The agent checks again when it acts, so an old answer can only lead to a refusal. */
const FRESH_MS = 60_000;
/** Requesters choose the names, so their number is bounded; the oldest are forgotten first. */
const MOST_REMEMBERED = 1_000;

export type AppResolution = ReturnType<typeof createAppResolution>;

/** The risks of apps as known from earlier answers, without asking the agent. */
export type KnownApps = Pick<AppResolution, 'risksOf'>;

/** Asks the agent which app a name leads to, and remembers how risky that app is. */
export function createAppResolution({ clock }: Context, port: AgentPort, { ask }: Pick<AgentQuestions, 'ask'>) {
  const learning = new Map<string, Promise<AttemptOutcome | undefined>>();
  const known = new Map<string, { atMs: number; risks: readonly AppRisk[] }>();

  function remember(appName: string, risks: readonly AppRisk[]): void {
    known.delete(appName);
    known.set(appName, { atMs: clock.nowMs(), risks });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
  }

  async function look(appName: string): Promise<AttemptOutcome | undefined> {
    // Nothing is done, so that no risk is too high to look at.
    const outcome = await ask({ type: RESOLVE_APP, parameters: { appName }, riskLevel: 'critical' });
    learning.delete(appName);
    remember(appName, risksIn(outcome));
    return outcome;
  }

  return {
    /**
     * Looks a name up and remembers the risks of the app behind it. Answers what the agent found, or why it found nothing;
     * nothing at all when it is not there or does not answer.
     */
    learn(appName: string): Promise<AttemptOutcome | undefined> {
      if (port.status() !== 'online') return Promise.resolve(undefined);
      const under = learning.get(appName) ?? look(appName);
      learning.set(appName, under);
      return under;
    },
    /** The risks of the app behind a name, as last seen; none for a name that was not looked up. */
    risksOf: (appName: string): readonly AppRisk[] => known.get(appName)?.risks ?? [],
    /** Whether looking a name up now would tell nothing new. */
    isKnown(appName: string): boolean {
      const ageMs = clock.nowMs() - (known.get(appName)?.atMs ?? Number.NEGATIVE_INFINITY);
      return ageMs < FRESH_MS || port.status() !== 'online';
    },
  };
}

const isResolvedApp = lazyCheck(ResolvedApp);

/** Which app a name leads to, as the agent reported it. */
export function resolvedAppIn(outcome: AttemptOutcome | undefined): ResolvedApp | undefined {
  return outcome?.ok === true && isResolvedApp(outcome.data) ? outcome.data : undefined;
}

function risksIn(outcome: AttemptOutcome | undefined): readonly AppRisk[] {
  return resolvedAppIn(outcome)?.risks ?? [];
}
