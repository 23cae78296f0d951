import type { DeviceAgent } from '../../contract/device.ts';
import type { Machine, MachineState } from '../../contract/machine.ts';
import type { MachineList, MachineView } from '../../contract/machine-view.ts';
import type { MachineRow } from '../../store/records/devices.ts';
import type { Execution } from '../actions/execution.ts';
import type { Context } from '../context.ts';
import type { MachineAgents } from '../machines/agents.ts';
import { visible } from '../prompt-words.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';

/** Starts, ends and watches the agents on other machines. */
export type MachineHost = {
  /** Reaches it from now on, and again whenever it is lost. */
  begin(machine: MachineRow): void;
  /** Lets it go; nothing reaches it any longer. */
  end(name: string): void;
  /** Tries to reach it at once. Resolves when that has succeeded or failed. */
  tryNow(name: string): Promise<void>;
  state(name: string): MachineState;
};

export type Machines = ReturnType<typeof createMachines>;

type Parts = MachineHost & {
  agents: MachineAgents;
  execution: Execution;
  /** Removes a device of any requester, and calls off what it had to do. */
  removeDevice(deviceId: string): unknown;
};

const MOST_MACHINES = 16;

/** The person's other machines. Only the person adds, tries and removes them. */
export function createMachines(context: Context, parts: Parts) {
  const { store, clock } = context;
  const { agents } = parts;

  function view({ addedAtMs, ...row }: MachineRow): MachineView {
    const agent = agents.on(row.name).port.agent();
    const running = parts.execution.running().get(row.name) ?? 0;
    return { ...row, ...parts.state(row.name), ...(agent && told(agent)), running, addedAt: timestamp(addedAtMs) };
  }

  const list = (): MachineList => ({ items: store.machines.list().map(view) });
  const find = (name: string) => store.machines.list().find((row) => row.name === name);

  return {
    list,
    add(addition: Machine): MachineList | Refusal {
      const row = { ...addition, addedAtMs: clock.nowMs() };
      const refusal = refusalOf(row, store.machines.list());
      if (refusal !== undefined) return refusal;
      const { name: machine, address } = row;
      store.write('durable', () => {
        store.machines.insert(row);
        store.undos.forgetOn(machine); // guard A31-3
        store.journal.append(row.addedAtMs, { kind: 'machine.added', metadata: { machine, address } });
      });
      parts.begin(row);
      return list();
    },
    async tryNow(name: string): Promise<MachineView | Refusal> {
      const row = find(name);
      if (row === undefined) return unknown(name);
      await parts.tryNow(name);
      return view(row);
    },
    /** Its devices go with it, and with them every grant for them. What was not sent is called off. */
    remove(name: string): MachineList | Refusal {
      if (find(name) === undefined) return unknown(name);
      for (const { id } of store.devices.onMachine(name)) parts.removeDevice(id);
      store.write('durable', () => {
        store.machines.remove(name);
        store.journal.append(clock.nowMs(), { kind: 'machine.removed', metadata: { machine: name } });
      });
      parts.end(name);
      agents.on(name).targets.forget();
      return list();
    },
  };
}

function told({ platform, hostname, version, displays, permissions }: DeviceAgent): Partial<MachineView> {
  return { platform, hostname: visible(hostname), version: visible(version), displays: displays.length, permissions };
}

function refusalOf({ name }: MachineRow, known: readonly MachineRow[]): Refusal | undefined {
  if (known.some((row) => row.name === name))
    return refusal(`There is a machine "${name}" already. Remove it first, or choose another name.`);
  if (known.length >= MOST_MACHINES) return refusal(`At most ${MOST_MACHINES} machines can be added; remove one.`);
  return undefined;
}

function refusal(detail: string): Refusal {
  return { refused: 'validation_failed', detail };
}

function unknown(name: string): Refusal {
  return { refused: 'not_found', detail: `There is no machine "${name}".` };
}
