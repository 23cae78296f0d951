import { type AgentLink, type AgentProcessObserver, createAgentLink } from '../agent-host/link/agent-link.ts';
import { createSshAgent, MACHINE_LIMITS } from '../agent-host/ssh-agent.ts';
import { type AgentSupervisor, createAgentSupervisor } from '../agent-host/supervisor.ts';
import type { MachineState } from '../contract/machine.ts';
import { LOCAL } from '../contract/machine-rules.ts';
import type { StreamTransport } from '../contract/stream-transport.ts';
import type { HttpLog } from '../http/app.ts';
import type { AgentListener, AgentPort, AgentPorts } from '../services/agent/port.ts';
import type { MachineHost } from '../services/console/machines.ts';
import type { MachineRow } from '../store/records/devices.ts';

type Options = {
  local: AgentPort;
  log: HttpLog;
  environment: NodeJS.ProcessEnv;
  /** The settings for `ssh`, in place of the person's own file. */
  sshConfig?: string | undefined;
};

/** A machine that is, or was, one of the person's. */
type Reached = {
  link: AgentLink;
  supervisor?: AgentSupervisor | undefined;
  transport?: StreamTransport | undefined;
  /** Why it could not be reached last. */
  reason?: string | undefined;
  /** Whether `ssh` is on its way there, or there. */
  isTrying: boolean;
  /** Called when an attempt to reach it has succeeded or failed. */
  waiting: (() => void)[];
};

export type RunningMachineHost = AgentPorts &
  MachineHost & {
    /** Names who is told what the agent of a machine does. Called once, before `begin`. */
    listen(listenerOf: (machine: string) => AgentListener): void;
    close(): Promise<void>;
  };

const LONGEST_TRIAL_MS = 30_000;
/** `ssh` may take ten seconds to connect, and the agent then starts a desktop where there is none. */
const LONGEST_START_MS = 40_000;

/** Reaches the agents of the person's other machines over `ssh`, each with a link and a supervisor of its own. */
export function createMachineHost({ local, log, environment, sshConfig }: Options): RunningMachineHost {
  const known = new Map<string, Reached>();
  /** The supervisors of removed machines whose processes have not ended. */
  const leaving = new Set<Promise<void>>();
  let listenerOf: ((machine: string) => AgentListener) | undefined;

  function of(name: string): Reached {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made: Reached = {
      link: createAgentLink({
        limits: { startMs: LONGEST_START_MS },
        abandon: (next) => made.supervisor?.replace(next),
      }),
      isTrying: false,
      waiting: [],
    };
    // Its listener asks for it.
    known.set(name, made);
    if (listenerOf !== undefined) made.link.listen(noting(made, listenerOf(name)));
    return made;
  }

  function supervise(row: MachineRow, reached: Reached): AgentSupervisor {
    // What is left of a removed machine says nothing of another that has its name.
    const isCurrent = () => reached.supervisor === undefined || reached.supervisor === supervisor;
    const spawn = createSshAgent({
      machine: row,
      environment,
      sshArguments: sshConfig === undefined ? [] : ['-F', sshConfig],
      attach(transport) {
        if (reached.supervisor !== supervisor) return transport.terminate(); // guard A31-5
        reached.transport = transport;
        reached.link.door.attach(transport);
      },
      observe: {
        started() {
          reached.isTrying = true;
        },
        ended(reason) {
          if (!isCurrent()) return;
          reached.isTrying = false;
          reached.reason = reason;
          tellAll(reached);
        },
      },
    });
    const { process } = reached.link;
    const link: AgentProcessObserver = {
      issueToken: () => process.issueToken(),
      started: () => process.started(),
      gone(how) {
        if (isCurrent()) process.gone(how);
      },
    };
    const supervisor = createAgentSupervisor({ spawn, url: () => '', link, log, limits: MACHINE_LIMITS });
    return supervisor;
  }

  return {
    on: (machine) => (machine === LOCAL ? local : of(machine).link.port),
    begin(row) {
      const reached = of(row.name);
      reached.reason = undefined;
      reached.link.coming();
      reached.supervisor = supervise(row, reached);
      reached.supervisor.start();
    },
    end(name) {
      const reached = of(name);
      const stopping = reached.supervisor?.stop();
      reached.supervisor = undefined;
      if (stopping === undefined) return;
      leaving.add(stopping);
      void stopping.then(() => leaving.delete(stopping));
    },
    async tryNow(name) {
      const reached = of(name);
      if (reached.link.port.status() === 'online') return;
      await new Promise<void>((resolve) => {
        const patience = setTimeout(resolve, LONGEST_TRIAL_MS);
        reached.waiting.push(() => resolve(clearTimeout(patience)));
        // An attempt that is under way says more than one that was cut short.
        if (!reached.isTrying) reached.supervisor?.restart();
      });
    },
    state: (machine) => (machine === LOCAL ? { status: local.status() } : stateOf(of(machine))),
    listen(listener) {
      listenerOf = listener;
      for (const [name, reached] of known) reached.link.listen(noting(reached, listener(name)));
    },
    async close() {
      await Promise.all([...leaving, ...[...known.values()].map(({ supervisor }) => supervisor?.stop())]);
      for (const { link } of known.values()) link.close();
    },
  };
}

/** The listener, and who waits for the machine. */
function noting(reached: Reached, listener: AgentListener): AgentListener {
  return {
    ...listener,
    statusChanged() {
      if (reached.link.port.status() === 'online') {
        reached.reason = undefined;
        tellAll(reached);
      }
      listener.statusChanged();
    },
  };
}

function tellAll({ waiting }: Reached): void {
  for (const tell of waiting.splice(0)) tell();
}

function stateOf({ link, reason, transport }: Reached): MachineState {
  const status = link.port.status();
  if (status === 'online') {
    const roundTripMs = transport?.roundTripMs();
    return { status, roundTripMs };
  }
  return reason === undefined ? { status } : { status: 'unreachable', reason };
}
