import type { Command } from '../command.ts';
import { groupsOf, optionsOf } from './words.ts';

export function fishCompletion(commands: readonly Command[]): string {
  const groups = groupsOf(commands);
  const lines = commands.flatMap((command) => linesOf(command));
  const groupLines = [...groups.keys()].map(
    (group) =>
      `complete -c handrail -n __fish_use_subcommand -f -a ${group} -d 'commands: ${(groups.get(group) ?? []).join(', ')}'`,
  );
  return ['# fish completion of handrail', ...groupLines, ...lines, ''].join('\n');
}

function linesOf(command: Command): string[] {
  const [first = '', second] = command.name.split(' ');
  const summary = `-d '${quoted(command.summary)}'`;
  const inside =
    second === undefined
      ? `__fish_seen_subcommand_from ${first}`
      : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
  const own =
    second === undefined
      ? `complete -c handrail -n __fish_use_subcommand -f -a ${first} ${summary}`
      : `complete -c handrail -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}' -f -a ${second} ${summary}`;
  const choices = command.argument?.choices ?? [];
  const ofChoices = choices.length === 0 ? [] : [`complete -c handrail -n '${inside}' -f -a '${choices.join(' ')}'`];
  const ofOptions = optionsOf(command).map(
    ({ long, description }) => `complete -c handrail -n '${inside}' -l ${long.slice(2)} -d '${quoted(description)}'`,
  );
  return [own, ...ofChoices, ...ofOptions];
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'");
}
