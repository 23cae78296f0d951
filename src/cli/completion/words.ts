import type { Command } from '../command.ts';

/** The long options of a command, such as `--output`. */
export function flagsOf(command: Command): string[] {
  return optionsOf(command).map(({ long }) => long);
}

/** Each long option with its description. */
export function optionsOf({ options = [], isRequester }: Command): { long: string; description: string }[] {
  const own = options.map(({ flags, description }) => ({ long: /--[a-z-]+/.exec(flags)?.[0] ?? flags, description }));
  const as = isRequester ? [{ long: '--as', description: 'the user id to call under' }] : [];
  return [
    ...own,
    ...as,
    { long: '--json', description: 'print JSON' },
    { long: '--help', description: 'show the usage' },
  ];
}

/** The second words of commands of two words, by the first. */
export function groupsOf(commands: readonly Command[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second]);
  }
  return groups;
}
