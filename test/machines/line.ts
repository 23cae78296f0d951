import { type AgentLink, createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import { MACHINE_LIMITS } from '../../src/agent-host/ssh-agent.ts';
import { createAgentSupervisor, type SpawnAgent } from '../../src/agent-host/supervisor.ts';
import { type HelloParams, type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { StreamTransport } from '../../src/contract/stream-transport.ts';
import type { TargetReference } from '../../src/contract/targets.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import { performOf } from '../agent-host/link/rig.ts';
import { until } from '../desktop/processes.ts';

export type Line = {
  link: AgentLink;
  supervisor: ReturnType<typeof createAgentSupervisor>;
  hellos: HelloParams[];
  transports: StreamTransport[];
  /** The process ids of `ssh`. */
  pids: number[];
  reasons: string[];
  losses(): number;
  online(times?: number): Promise<unknown>;
  perform(
    actionType: string,
    parameters: object,
    rest?: Partial<PerformParams>,
    signal?: AbortSignal,
  ): Promise<AttemptOutcome | 'lost'>;
  /** Has the target looked up first, as the daemon does. */
  act(actionType: string, parameters: object, reference: TargetReference): Promise<AttemptOutcome | 'lost'>;
  close(): Promise<void>;
};

type Options = {
  spawn(to: {
    attach(transport: StreamTransport): void;
    started(pid: number): void;
    ended(reason: string): void;
  }): SpawnAgent;
};

/** The daemon's end of the link to an agent over `ssh`. */
export function openLine({ spawn }: Options): Line {
  const seen = { hellos: [], transports: [], pids: [], reasons: [] } as Pick<
    Line,
    'hellos' | 'transports' | 'pids' | 'reasons'
  >;
  const waiting = new Map<string, (outcome: AttemptOutcome | 'lost') => void>();
  let losses = 0;
  const link = createAgentLink({ abandon: (next) => supervisor.replace(next) });
  link.listen({
    online(hello) {
      seen.hellos.push(hello);
      return [];
    },
    accepted: () => undefined,
    finished: ({ actionId }, outcome) => waiting.get(actionId)?.(outcome),
    lost() {
      losses += 1;
      for (const resolve of waiting.values()) resolve('lost');
    },
    statusChanged: () => undefined,
    violated: ({ kind, detail }) => seen.reasons.push(`${kind}: ${detail}`),
  });
  const quiet = () => undefined;
  const supervisor = createAgentSupervisor({
    spawn: spawn({
      attach(transport) {
        seen.transports.push(transport);
        link.door.attach(transport);
      },
      started: (pid) => void seen.pids.push(pid),
      ended: (reason) => void seen.reasons.push(reason),
    }),
    url: () => '',
    link: link.process,
    log: { info: quiet, warn: quiet, error: quiet },
    limits: { ...MACHINE_LIMITS, backoffMs: 100 },
  });
  supervisor.start();
  let count = 0;
  const perform = (actionType: string, parameters: object, rest: Partial<PerformParams> = {}, signal?: AbortSignal) => {
    count += 1;
    const actionId = `act_01ARZ3NDEKTSV4RRFFQ69G5${String(count).padStart(3, '0')}`;
    link.port.perform({ ...performOf(actionId), actionType, parameters: { ...parameters }, ...rest });
    const outcome = new Promise<AttemptOutcome | 'lost'>((resolve) => waiting.set(actionId, resolve));
    const cancel = () => link.port.cancel({ actionId, attempt: 1 }, signal?.reason);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    return outcome;
  };
  return {
    link,
    supervisor,
    ...seen,
    losses: () => losses,
    online: (times = 1) =>
      until(
        `the machine is online (${seen.reasons.join('; ')})`,
        () => seen.hellos.length >= times && link.port.agent(),
      ),
    perform,
    async act(actionType, parameters, reference) {
      const found = await perform(RESOLVE_TARGETS, { references: [reference] });
      if (found === 'lost' || !found.ok) throw new Error(`the target was not found: ${JSON.stringify(found)}`);
      return perform(actionType, parameters, { effectClass: 'once', targets: Object(found.data).targets });
    },
    async close() {
      await supervisor.stop();
      link.close();
    },
  };
}
