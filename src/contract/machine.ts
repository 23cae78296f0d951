import { type Static, Type } from 'typebox';
import { Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

/** Stands for the computer on which the daemon runs. */
export const LOCAL = 'local';

/** How `handrail agent --stdio` ends where a daemon of that account runs, whose person has not allowed others. */
export const MACHINE_HAS_A_PERSON = { code: 'machine_has_a_person', exitCode: 77 } as const;

/** The agent that `ssh` runs there when the person named no other. */
const USUAL_COMMAND = 'handrail';

export const MachineName = Type.String({
  pattern: `^(?!${LOCAL}$)[a-z][a-z0-9-]{0,31}$`,
  description: `a lower-case word, not \`${LOCAL}\``,
});
export type MachineName = Static<typeof MachineName>;

/** Neither part begins with `-`, so neither can be an option of `ssh`, and no character means anything to a shell. */
const USER = '[A-Za-z0-9_][A-Za-z0-9._-]{0,63}';
const HOST = '[A-Za-z0-9][A-Za-z0-9._-]*|[A-Fa-f0-9:]+(?:%[A-Za-z0-9]+)?';

export const MachineAddress = Type.String({
  pattern: `^(?:${USER}@)?(?:${HOST})$`,
  maxLength: 255,
  description: '`host` or `user@host`, as `ssh` takes it, also a name in `~/.ssh/config`',
});
export type MachineAddress = Static<typeof MachineAddress>;

export const AgentCommand = Type.String({
  pattern: `^(?:${USUAL_COMMAND}|(?:~/|/)[A-Za-z0-9._+@/-]+)$`,
  maxLength: 255,
  description: 'the path of `handrail` there, from `/` or `~/`',
});
export type AgentCommand = Static<typeof AgentCommand>;

export const MachineDisplay = Type.String({
  pattern: '^:[0-9]{1,5}$',
  description: 'the X display there, such as `:0`, where the account has several',
});
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

/** A machine as the person sees it. */
export const MachineView = Type.Object(
  {
    ...Machine.properties,
    ...MachineState.properties,
    platform: Type.Optional(Type.String()),
    hostname: Type.Optional(Type.String()),
    version: Type.Optional(Type.String()),
    running: described(Type.Integer(), 'actions that it has not ended yet, also after the emergency stop'),
    addedAt: Timestamp,
  },
  closed,
);
export type MachineView = Static<typeof MachineView>;

export const MachineList = Type.Object({ items: Type.Array(MachineView) }, closed);
export type MachineList = Static<typeof MachineList>;
