import type { Display } from '../../contract/device.ts';
import type { AgentPort, AgentPorts } from '../agent/port.ts';
import { createAgentQuestions, createAgentReadiness } from '../agent/questions.ts';
import { createLastSeen } from '../agent/watch.ts';
import type { Context } from '../context.ts';
import { createTargets } from '../targets/targets.ts';

/** The agent of one machine, with everything that the services know of it. */
export type MachineAgent = ReturnType<typeof createMachineAgent>;

export type MachineAgents = ReturnType<typeof createMachineAgents>;

/** The agents of all machines. Each has its own questions and memory, so a slow one keeps no other waiting. */
export function createMachineAgents(context: Context, ports: AgentPorts) {
  const made = new Map<string, MachineAgent>();

  function on(machine: string): MachineAgent {
    const known = made.get(machine);
    if (known !== undefined) return known;
    const agent = createMachineAgent(context, machine, ports.on(machine));
    made.set(machine, agent);
    return agent;
  }

  return {
    on,
    /** The agent that serves a device. */
    of: (deviceId: string): MachineAgent => on(context.store.devices.machineOf(deviceId)),
  };
}

function createMachineAgent(context: Context, machine: string, port: AgentPort) {
  const questions = createAgentQuestions(context, port);
  const readiness = createAgentReadiness(context.clock, port);
  const lastSeen = createLastSeen(context, port);
  return {
    machine,
    port,
    ask: questions.ask,
    answered: questions.finish,
    ready: readiness.ready,
    /** None while it is not connected. */
    displays: (): readonly Display[] => port.agent()?.displays ?? [],
    seenAtMs: lastSeen.atMs,
    targets: createTargets(context, questions),
    /** It came or went, or told something new of itself. */
    changed(): void {
      lastSeen.note();
      readiness.changed();
    },
  };
}
