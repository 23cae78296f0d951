import { LOCAL } from '../../src/contract/machine-rules.ts';
import type { AgentPort, AgentPorts } from '../../src/services/agent/port.ts';
import type { MachineHost } from '../../src/services/console/machines.ts';

/** The agent of this machine. Of any other machine there is the same one, and nothing reaches it. */
export function localOnly(port: AgentPort): AgentPorts & MachineHost {
  return {
    on: () => port,
    begin: () => undefined,
    end: () => undefined,
    tryNow: async () => undefined,
    state: (machine) => ({ status: machine === LOCAL ? port.status() : 'offline' }),
  };
}
