import type { EffectClass } from '../../contract/action.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { Target } from '../../contract/targets.ts';
import type { Clock, Context } from '../context.ts';
import type { AgentPort, AttemptKey, AttemptOutcome } from './port.ts';

/** How long the agent may take to answer. */
const PATIENCE_MS = 3_000;
/** More questions than this are not sent at once: the agent's places are for actions. */
const MOST_AT_ONCE = 64;
const NO_DIGEST = '0'.repeat(64);

export type Question = {
  type: string;
  parameters: Record<string, unknown>;
  /** The targets that the parameters name. The agent refuses if one has changed. */
  targets?: readonly Target[] | undefined;
  /** Whose references `@n` the parameters name. */
  requester?: string | undefined;
  /** `pure` unless the agent is to change something, which only the person can ask for. */
  effectClass?: EffectClass;
  /** The programs of dashboards, whose windows are black in a picture of the screen. */
  dashboards?: PerformParams['dashboards'];
  /** How long to wait for the answer; 3 s by default. */
  patienceMs?: number;
};

export type AgentQuestions = ReturnType<typeof createAgentQuestions>;

/** Asks the agent something. Nothing is recorded here: a question is no action. */
export function createAgentQuestions({ clock, newId }: Context, port: AgentPort) {
  const waiting = new Map<string, (outcome: AttemptOutcome | undefined) => void>();
  return {
    /** Resolves with the agent's finding or failure; `undefined` when the agent is offline or does not answer. */
    ask(question: Question): Promise<AttemptOutcome | undefined> {
      if (port.status() !== 'online' || waiting.size >= MOST_AT_ONCE) return Promise.resolve(undefined);
      const {
        type,
        parameters,
        targets,
        requester,
        effectClass = 'pure',
        dashboards,
        patienceMs = PATIENCE_MS,
      } = question;
      const actionId = newId('act');
      return new Promise((resolve) => {
        const stop = clock.after(patienceMs, () => answer(undefined));
        const answer = (outcome: AttemptOutcome | undefined) => {
          stop();
          waiting.delete(actionId);
          resolve(outcome);
        };
        waiting.set(actionId, answer);
        port.perform({
          actionId,
          attempt: 1,
          actionType: type,
          parameters,
          capabilities: {},
          effectClass,
          deadlineMs: patienceMs,
          digest: NO_DIGEST,
          ...(targets !== undefined && { targets: [...targets] }),
          requester,
          dashboards,
        });
      });
    },
    /** Resolves the question that the agent answered; false when there is no such question. */
    finish(key: AttemptKey, outcome: AttemptOutcome): boolean {
      const answer = waiting.get(key.actionId);
      answer?.(outcome);
      return answer !== undefined;
    },
  };
}

/** How long submissions, actions that may run and steps wait for an agent that is not there. */
export const AGENT_PATIENCE_MS = 10_000;

/** Lets submissions wait for an agent that is starting, instead of failing. */
export function createAgentReadiness(clock: Clock, port: AgentPort) {
  let waiting: (() => void)[] = [];
  return {
    changed(): void {
      if (port.status() === 'starting') return;
      for (const wake of waiting.splice(0)) wake();
    },
    /** Whether the agent is online; while it is starting, the answer waits for that to end, up to 10 s. */
    async ready(): Promise<boolean> {
      if (port.status() !== 'starting') return port.status() === 'online';
      return await new Promise((resolve) => {
        const answer = () => {
          stop();
          waiting = waiting.filter((other) => other !== answer);
          resolve(port.status() === 'online');
        };
        const stop = clock.after(AGENT_PATIENCE_MS, answer);
        waiting.push(answer);
      });
    },
  };
}
