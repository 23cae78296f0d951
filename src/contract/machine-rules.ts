/** Stands for the computer on which the daemon runs. */
export const LOCAL = 'local';

/** A name behind that of its machine, where that is another one. */
export function behindMachine(machine: string | undefined, name: string): string {
  return machine === undefined || machine === LOCAL ? name : `${machine}: ${name}`;
}

/** The agent that `ssh` runs there when the person named no other. */
export const USUAL_COMMAND = 'handrail';

/** Neither part begins with `-`, so neither can be an option of `ssh`, and no character means anything to a shell. */
const USER = '[A-Za-z0-9_][A-Za-z0-9._-]{0,63}';
const HOST = '[A-Za-z0-9][A-Za-z0-9._-]*|[A-Fa-f0-9:]+(?:%[A-Za-z0-9]+)?';

/** How each part of a machine is written; also for the page and the command line, which say it before the daemon is asked. */
export const MACHINE_RULES = {
  name: {
    pattern: `^(?!${LOCAL}$)[a-z][a-z0-9-]{0,31}$`,
    maxLength: 32,
    description: `lower-case letters, digits and \`-\`, a letter first, such as \`studio2\`; not \`${LOCAL}\``,
  },
  address: {
    pattern: `^(?:${USER}@)?(?:${HOST})$`,
    maxLength: 255,
    description: '`host` or `user@host`, as `ssh` takes it, also a name in `~/.ssh/config`',
  },
  agentCommand: {
    pattern: `^(?:${USUAL_COMMAND}|(?:~/|/)[A-Za-z0-9._+@/-]+)$`,
    maxLength: 255,
    description: 'the path of `handrail` there, from `/` or `~/`',
  },
  display: {
    pattern: '^:[0-9]{1,5}$',
    maxLength: 6,
    description: 'the X display there, such as `:0`, where the account has several',
  },
} as const;

export type MachinePart = keyof typeof MACHINE_RULES;

/** What a part of a machine should be; undefined where it is that. */
export function machineFault(part: MachinePart, text: string): string | undefined {
  const { pattern, maxLength, description } = MACHINE_RULES[part];
  return new RegExp(pattern).test(text) && text.length <= maxLength ? undefined : description;
}

/** The agent tells the process that started it on another machine that it lives, and is killed where it has not for so long. */
export const ALIVE = { everyMs: 1_000, silentMs: 10_000 };
