import { keyOf, type TargetReference } from '../../contract/targets.ts';
import { type CheckedAction, referencesOf } from '../actions/checked-action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import { AGENT_PATIENCE_MS } from '../agent/questions.ts';
import type { Context } from '../context.ts';
import type { MachineAgent } from '../machines/agents.ts';
import type { Refusal } from '../refusal.ts';
import type { Sight } from '../targets/targets.ts';

/** A step is never judged by a sight that is older than this. */
const FRESH_MS = 5_000;
/** How often a step looks for an agent that is away. */
const LOOK_AGAIN_MS = 500;

export type Look = {
  taskId: string;
  stepId: string;
  userId: string;
  deviceId: string;
  checked: CheckedAction | Refusal;
  known: Sight;
};

export type StepSights = ReturnType<typeof createStepSights>;

type Parts = Pick<SubmissionParts, 'agents'>;

/** Looks at the targets of steps whose turn it is. `changed` is told when there is a sight for a task. */
export function createStepSights(
  { clock }: Pick<Context, 'clock'>,
  { agents }: Parts,
  changed: (taskId: string) => void,
) {
  const sights = new Map<string, Sight | 'under way'>();

  /** A step was accepted before, so it does not fail because its agent is just being started again. */
  async function look(agent: MachineAgent, references: readonly TargetReference[], userId: string): Promise<Sight> {
    const untilMs = clock.monotonicMs() + AGENT_PATIENCE_MS;
    while (!(await agent.ready()) && clock.monotonicMs() < untilMs)
      await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
    return agent.targets.sight(references, userId);
  }

  return {
    /** The sight, which is good for one attempt; nothing while it is still to come. `known`: targets that are not looked at again. */
    take({ taskId, stepId, userId, deviceId, checked, known }: Look): Sight | undefined {
      const agent = agents.of(deviceId);
      const named = referencesOf(checked, { displays: agent.displays() });
      const references = named.filter((reference) => !known.has(keyOf(reference)));
      const remembered = agent.targets.remembered(references);
      if (remembered !== undefined) return new Map([...remembered, ...known]);
      const key = JSON.stringify([taskId, stepId, references]);
      const seen = sights.get(key);
      if (seen === 'under way') return undefined;
      if (seen !== undefined) {
        sights.delete(key);
        return new Map([...seen, ...known]);
      }
      sights.set(key, 'under way');
      void look(agent, references, userId).then((sight) => {
        sights.set(key, sight);
        clock.after(FRESH_MS, () => {
          if (sights.get(key) === sight) sights.delete(key);
        });
        changed(taskId);
      });
      return undefined;
    },
  };
}
