import { LOCAL } from '../../contract/machine-rules.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import type { MachineAgents } from '../machines/agents.ts';
import type { Candidate } from './dispatch-queue.ts';
import { createExecution, type ExecutionParts, type MachineExecution } from './execution.ts';

export type Execution = ReturnType<typeof createExecutions>;

type Parts = Omit<ExecutionParts, 'agent'> & { agents: MachineAgents };

/** Carries out actions on every machine. Each has its own queue and its own places. */
export function createExecutions(context: Context, { agents, ...parts }: Parts) {
  const made = new Map<string, MachineExecution>();

  function on(machine: string): MachineExecution {
    const known = made.get(machine);
    if (known !== undefined) return known;
    // The programs that show the dashboard are known by their processes on this machine, and the person is told of its apps alone.
    const elsewhere = machine === LOCAL ? {} : { dashboards: () => undefined, described: () => undefined };
    const execution = createExecution(context, { ...parts, ...elsewhere, agent: agents.on(machine) });
    made.set(machine, execution);
    return execution;
  }

  const of = ({ deviceId }: Pick<ActionRow, 'deviceId'>) => on(context.store.devices.machineOf(deviceId));

  return {
    on,
    /** Whether an action of this kind would be sent at once. */
    isFree: (candidate: Candidate): boolean => of(candidate).isFree(candidate),
    /** Sends an action whose dispatch is already recorded. */
    send: (row: ActionRow): void => of(row).send(row),
    /** Runs a queued action as soon as there is a place for it. */
    enqueue: (row: ActionRow, readySinceMs?: number): void => of(row).enqueue(row, readySinceMs),
    /** Looks again whether something can be sent, on any machine. */
    lookAgain(): void {
      for (const execution of made.values()) execution.agentChanged();
    },
    /** Asks the agent to stop; its report decides how the action ends, or 7.5 s of silence do. */
    stop: (row: ActionRow, reason: Parameters<MachineExecution['stop']>[1]): void => of(row).stop(row, reason),
    turnWords: (candidate: Candidate): string => of(candidate).turnWords(candidate),
    /** Since when no input runs on the machine of the person's prompts, in epoch ms: infinite while some may run. */
    inputEndedAtMs: (): number => on(LOCAL).inputEndedAtMs(),
    /** How many actions are under way, by machine. */
    running: (): ReadonlyMap<string, number> =>
      new Map([...made].map(([machine, execution]) => [machine, execution.runningCount()])),
  };
}
