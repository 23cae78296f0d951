import type { RiskLevel } from '../../contract/action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { resolveWindow, type WindowAnswer } from '../agent/window-resolution.ts';
import type { Context } from '../context.ts';

/** A person is never asked about a window that was looked up longer ago than this. */
const FRESH_MS = 5_000;

export type Look = { taskId: string; stepId: string; windowId: string; riskLevel: RiskLevel };

export type WindowLooks = ReturnType<typeof createWindowLooks>;

/** Looks up the windows of steps whose turn it is. `changed` is told when there is an answer for a task. */
export function createWindowLooks(
  { clock }: Context,
  { ask, agentReady }: Pick<SubmissionParts, 'ask' | 'agentReady'>,
  changed: (taskId: string) => void,
) {
  const looks = new Map<string, WindowAnswer | 'under way'>();

  async function answerTo({ windowId, riskLevel }: Look): Promise<WindowAnswer> {
    await agentReady();
    return resolveWindow(ask, windowId, riskLevel);
  }

  return {
    /** The answer, which is good for one attempt; nothing while it is still to come. */
    take(look: Look): WindowAnswer | undefined {
      const key = JSON.stringify([look.taskId, look.stepId, look.windowId]);
      const known = looks.get(key);
      if (known === 'under way') return undefined;
      if (known !== undefined) {
        looks.delete(key);
        return known;
      }
      looks.set(key, 'under way');
      void answerTo(look).then((answer) => {
        looks.set(key, answer);
        clock.after(FRESH_MS, () => {
          if (looks.get(key) === answer) looks.delete(key);
        });
        changed(look.taskId);
      });
      return undefined;
    },
  };
}
