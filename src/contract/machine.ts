import { type Static, Type } from 'typebox';
import { closed, described, oneOf } from './literals.ts';
import { MACHINE_RULES, USUAL_COMMAND } from './machine-rules.ts';

/** How `handrail agent --stdio` ends where a daemon of that account runs, whose person has not allowed others. */
export const MACHINE_HAS_A_PERSON = { code: 'machine_has_a_person', exitCode: 77 } as const;

export const MachineName = Type.String(MACHINE_RULES.name);
export type MachineName = Static<typeof MachineName>;

export const MachineAddress = Type.String(MACHINE_RULES.address);
export type MachineAddress = Static<typeof MachineAddress>;

export const AgentCommand = Type.String(MACHINE_RULES.agentCommand);
export type AgentCommand = Static<typeof AgentCommand>;

export const MachineDisplay = Type.String(MACHINE_RULES.display);
export type MachineDisplay = Static<typeof MachineDisplay>;

export const Machine = Type.Object(
  {
    name: MachineName,
    address: MachineAddress,
    agentCommand: Type.Optional(AgentCommand),
    display: Type.Optional(MachineDisplay),
  },
  closed,
);
export type Machine = Static<typeof Machine>;

/** A machine by its name, with an address where it is to be added. */
export const MachineGiven = Type.Object({ ...Machine.properties, address: Type.Optional(MachineAddress) }, closed);
export type MachineGiven = Static<typeof MachineGiven>;

/** What `ssh` runs there. */
export function remoteCommandOf({ agentCommand = USUAL_COMMAND, display }: Omit<Machine, 'name' | 'address'>): string {
  return [agentCommand, 'agent', '--stdio', ...(display === undefined ? [] : ['--display', display])].join(' ');
}

/** How a machine is reached now. */
export const MachineState = Type.Object(
  {
    status: described(oneOf(['online', 'starting', 'unreachable', 'offline']), '`unreachable`: it is tried again'),
    reason: Type.Optional(described(Type.String(), 'why it is not online, and what helps')),
    roundTripMs: Type.Optional(described(Type.Number(), 'between this machine and that one')),
  },
  closed,
);
export type MachineState = Static<typeof MachineState>;
