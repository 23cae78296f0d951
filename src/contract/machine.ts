import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';

/** Stands for the computer on which the daemon runs. */
export const LOCAL_MACHINE = 'local';

/** How `handrail agent --stdio` ends where a daemon of that account runs, whose person has not allowed others. */
export const MACHINE_HAS_A_PERSON = { code: 'machine_has_a_person', exitCode: 77 } as const;

/** The agent that `ssh` runs there when the person named no other. */
const USUAL_COMMAND = 'handrail';

export const MachineName = Type.String({
  pattern: `^(?!${LOCAL_MACHINE}$)[a-z][a-z0-9-]{0,31}$`,
  description: `a lower-case word, not \`${LOCAL_MACHINE}\``,
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

/** What `ssh` runs there. */
export function remoteCommandOf({ agentCommand = USUAL_COMMAND, display }: Omit<Machine, 'name' | 'address'>): string {
  return [agentCommand, 'agent', '--stdio', ...(display === undefined ? [] : ['--display', display])].join(' ');
}
