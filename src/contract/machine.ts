import { type Static, Type } from 'typebox';
import { Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

/** The machine on which the daemon runs. */
export const LOCAL = 'local';

export const MACHINE_NAME = '^[a-z][a-z0-9-]{0,31}$';

/** A user and a host as `ssh` takes them: neither can begin like an option. */
const ADDRESS = '^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}@)?[A-Za-z0-9_\\[][A-Za-z0-9_.:\\]-]{0,189}$';

/** A program on the other machine, in characters that no shell reads in another way. */
const COMMAND = '^(?:~/|/)?[A-Za-z0-9_][A-Za-z0-9_./-]{0,255}$';

/** Another machine of the person, reached by `ssh`. */
export const MachineAddition = Type.Object(
  {
    name: Type.String({ pattern: MACHINE_NAME, description: 'how prompts and callers name it' }),
    address: Type.String({ pattern: ADDRESS, description: '`host` or `user@host`, as `ssh` takes it' }),
    command: Type.Optional(
      Type.String({ pattern: COMMAND, description: 'the path of `handrail` there; `handrail` by default' }),
    ),
    display: Type.Optional(
      Type.String({ pattern: '^:[0-9]{1,5}$', description: 'the X display to use there, such as `:1`' }),
    ),
  },
  closed,
);
export type MachineAddition = Static<typeof MachineAddition>;

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

export const Machine = Type.Object(
  {
    ...MachineAddition.properties,
    ...MachineState.properties,
    platform: Type.Optional(Type.String()),
    hostname: Type.Optional(Type.String()),
    version: Type.Optional(Type.String()),
    running: Type.Integer({ description: 'actions that it has not ended yet, also after the emergency stop' }),
    addedAt: Timestamp,
  },
  closed,
);
export type Machine = Static<typeof Machine>;

export const MachineList = Type.Object({ items: Type.Array(Machine) }, closed);
export type MachineList = Static<typeof MachineList>;
