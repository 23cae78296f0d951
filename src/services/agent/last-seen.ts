import type { Context } from '../context.ts';
import type { AgentPort } from './port.ts';

/** When the agent was online last, in epoch milliseconds. */
export function createLastSeen({ clock }: Context, port: AgentPort) {
  let seenAtMs: number | undefined;
  return {
    note(): void {
      if (port.status() === 'online') seenAtMs = clock.nowMs();
    },
    atMs: (): number | undefined => (port.status() === 'online' ? clock.nowMs() : seenAtMs),
  };
}
