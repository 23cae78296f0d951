import type { RiskLevel } from '../contract/action.ts';
import { RESOLVE_APP } from '../contract/link.ts';
import type { AgentPort, AttemptKey, AttemptOutcome } from './agent-port.ts';
import type { Context } from './context.ts';

/** How long the agent may take to look a name up. */
const PATIENCE_MS = 3_000;
const NO_DIGEST = '0'.repeat(64);

export type AppResolution = ReturnType<typeof createAppResolution>;

/** Asks the agent which app a name leads to. Nothing is done on the device, and nothing is recorded: it is no action. */
export function createAppResolution({ clock, newId }: Context, port: AgentPort) {
  const waiting = new Map<string, (outcome: AttemptOutcome | undefined) => void>();
  return {
    /** What the agent found, or why it found nothing; nothing at all when it is not there or does not answer. */
    resolve(appName: string, riskLevel: RiskLevel): Promise<AttemptOutcome | undefined> {
      if (port.status() !== 'online') return Promise.resolve(undefined);
      const actionId = newId('act');
      return new Promise((resolve) => {
        const stop = clock.after(PATIENCE_MS, () => answer(undefined));
        const answer = (outcome: AttemptOutcome | undefined) => {
          stop();
          waiting.delete(actionId);
          resolve(outcome);
        };
        waiting.set(actionId, answer);
        port.perform({
          actionId,
          attempt: 1,
          actionType: RESOLVE_APP,
          parameters: { appName },
          capabilities: {},
          effectClass: 'pure',
          deadlineMs: PATIENCE_MS,
          digest: NO_DIGEST,
          riskLevel,
        });
      });
    },
    /** Takes in what the agent reported; false when it answers no question of this kind. */
    finish(key: AttemptKey, outcome: AttemptOutcome): boolean {
      const answer = waiting.get(key.actionId);
      answer?.(outcome);
      return answer !== undefined;
    },
  };
}
