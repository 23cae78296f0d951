import type { HelloParams, HelloVerdict } from '../../contract/link.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { journalSelf } from '../records/verification.ts';
import { untilStored } from '../work/storage-failure.ts';
import type { AgentListener, AgentPort, AttemptKey, AttemptOutcome } from './port.ts';
import { createAgentWatch } from './watch.ts';

/** The actions that have not ended. */
type Live = { get(id: string): ActionRow | undefined };

type Execution = {
  /** Records the outcome that the agent reported; false when none was expected. */
  finish(key: AttemptKey, outcome: AttemptOutcome): boolean;
  /** The link to the agent is lost. */
  lose(): void;
  /** Looks again whether something can be sent: the agent came, or went. */
  agentChanged(): void;
};

/** The agent of one machine, as far as this file uses it. */
type Agent = {
  machine: string;
  port: AgentPort;
  answered(key: AttemptKey, outcome: AttemptOutcome): boolean;
  changed(): void;
};

/** Handles the messages of one machine's agent and records their effects. */
export function createAgentListener(
  context: Context,
  { agent, live, execution }: { agent: Agent; live: Live; execution: Execution },
): AgentListener {
  const { machine, port } = agent;
  const isLocal = machine === LOCAL;
  const watches = isLocal ? [createAgentWatch(context, port), createDeviceWatch(context, port)] : [];
  const journal = (event: JournalEvent) => untilStored(context, () => journalSelf(context, event));
  const isOwn = ({ deviceId }: ActionRow) => context.store.devices.machineOf(deviceId) === machine;
  return {
    online(hello) {
      const { platform, bootId } = hello;
      journal(
        isLocal
          ? { kind: 'agent.online', metadata: { platform, bootId } }
          : { kind: 'machine.online', metadata: { machine, platform, bootId } },
      );
      return verdictsOn(hello, { live, isOwn });
    },
    accepted: () => undefined,
    finished(key, outcome) {
      if (agent.answered(key, outcome)) port.acknowledge(key);
      else if (!execution.finish(key, outcome)) {
        const { actionId, attempt } = key;
        journal({ kind: 'agent.result_ignored', actionId, metadata: { attempt: String(attempt) } });
      }
    },
    lost() {
      journal(isLocal ? { kind: 'agent.lost' } : { kind: 'machine.lost', metadata: { machine } });
      execution.lose();
    },
    statusChanged() {
      for (const watch of watches) watch.changed();
      agent.changed();
      execution.agentChanged();
    },
    violated: ({ kind: violation, detail }) => {
      const told = isLocal ? detail : `${machine}: ${detail}`;
      journal({ kind: 'agent.violation', metadata: { violation, detail: told.slice(0, 200) } });
    },
  };
}

/**
 * For each attempt that the agent holds: go on if it is still wanted, report an outcome that was not yet acknowledged, else
 * forget or stop it.
 */
function verdictsOn(
  hello: HelloParams,
  { live, isOwn }: { live: Live; isOwn(row: ActionRow): boolean },
): HelloVerdict[] {
  const isWanted = ({ actionId, attempt }: { actionId: string; attempt: number }) => {
    const row = live.get(actionId);
    return row?.status === 'running' && row.attempt === attempt && isOwn(row); // guard A31-2
  };
  return [
    ...hello.inflight.map(({ actionId, attempt }): HelloVerdict => {
      return { actionId, attempt, verdict: isWanted({ actionId, attempt }) ? 'continue' : 'cancel' };
    }),
    ...hello.unacknowledged.map((key): HelloVerdict => ({ ...key, verdict: isWanted(key) ? 'report' : 'forget' })),
  ];
}

/**
 * Journals when the devices of this machine go online and offline, for programs that read the event stream. One agent serves all of
 * them, so one event covers every device of every user, and names none.
 */
function createDeviceWatch(context: Context, port: Pick<AgentPort, 'status'>) {
  let wereOnline = false;
  return {
    /** Looks again; the agent came or went. */
    changed(): void {
      const areOnline = port.status() === 'online';
      if (areOnline === wereOnline) return;
      try {
        journalSelf(context, { kind: areOnline ? 'device.online' : 'device.offline' });
        wereOnline = areOnline;
      } catch (error) {
        context.log.error({ err: error }, 'that the devices went online, or offline, could not be journaled');
      }
    },
  };
}
