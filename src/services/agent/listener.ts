import type { HelloParams, HelloVerdict } from '../../contract/link.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { journalSelf } from '../records/journal-self.ts';
import { untilStored } from '../work/storage-failure.ts';
import type { AgentListener, AgentPort, AttemptKey, AttemptOutcome } from './port.ts';
import type { AgentQuestions } from './questions.ts';
import { createAgentWatch } from './watch.ts';

/** The actions that have not ended. */
type Live = { get(id: string): ActionRow | undefined };

type Execution = {
  /** Records the outcome that the agent reported; false when none was expected. */
  finish(key: AttemptKey, outcome: AttemptOutcome): boolean;
  /** The link to the agent is lost. */
  lose(): void;
};

/** Handles the agent's messages and records their effects. */
export function createAgentListener(
  context: Context,
  parts: {
    port: AgentPort;
    live: Live;
    execution: Execution;
    questions: AgentQuestions;
    agentChanged(): void;
  },
): AgentListener {
  const { live, execution, questions } = parts;
  const watch = createAgentWatch(context, parts.port);
  const devices = createDeviceWatch(context, parts.port);
  const journal = (event: JournalEvent) => untilStored(context, () => journalSelf(context, event));
  return {
    online(hello) {
      journal({ kind: 'agent.online', metadata: { platform: hello.platform, bootId: hello.bootId } });
      return verdictsOn(hello, live);
    },
    accepted: () => undefined,
    finished(key, outcome) {
      if (questions.finish(key, outcome)) parts.port.acknowledge(key);
      else if (!execution.finish(key, outcome)) {
        const { actionId, attempt } = key;
        journal({ kind: 'agent.result_ignored', actionId, metadata: { attempt: String(attempt) } });
      }
    },
    lost() {
      journal({ kind: 'agent.lost' });
      execution.lose();
    },
    statusChanged() {
      watch.changed();
      devices.changed();
      parts.agentChanged();
    },
    violated: ({ kind: violation, detail }) =>
      journal({ kind: 'agent.violation', metadata: { violation, detail: detail.slice(0, 200) } }),
  };
}

/**
 * For each attempt that the agent holds: go on if it is still wanted, report an outcome that was not yet acknowledged, else
 * forget or stop it.
 */
function verdictsOn(hello: HelloParams, live: Live): HelloVerdict[] {
  const isWanted = ({ actionId, attempt }: { actionId: string; attempt: number }) => {
    const row = live.get(actionId);
    return row?.status === 'running' && row.attempt === attempt;
  };
  return [
    ...hello.inflight.map(({ actionId, attempt }): HelloVerdict => {
      return { actionId, attempt, verdict: isWanted({ actionId, attempt }) ? 'continue' : 'cancel' };
    }),
    ...hello.unacknowledged.map((key): HelloVerdict => ({ ...key, verdict: isWanted(key) ? 'report' : 'forget' })),
  ];
}

/**
 * Journals when the registered devices go online and offline, for programs that read the event stream. One agent serves all
 * devices, so one event covers every device of every user, and names none.
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
