import type { Clock } from '../context.ts';
import type { AgentPort } from './port.ts';

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
