import type { Command } from '../command.ts';

/** The long options of a command, such as `--output`. */
function flagsOf(command: Command): string[] {
  return optionsOf(command).map(({ long }) => long);
}

/** Each long option with its description. */
function optionsOf({ options = [], isRequester }: Command): { long: string; description: string }[] {
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
function groupsOf(commands: readonly Command[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second]);
  }
  return groups;
}

/** A script for bash, without the package bash-completion. */
export function bashCompletion(commands: readonly Command[]): string {
  const groups = groupsOf(commands);
  const cases = commands.map((command) => {
    const words = [...(command.argument?.choices ?? []), ...flagsOf(command)].join(' ');
    return `    "${command.name}") words="${words}" ;;`;
  });
  const groupCases = [...groups].map(([group, words]) => `    ${group}) words="${words.join(' ')}" ;;`);
  return `# bash completion of handrail
_handrail() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${topWords(commands).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "$command" in
    ${[...groups.keys()].join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command" in
${[...cases, ...groupCases].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ "\${#COMPREPLY[@]}" -eq 0 ] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _handrail handrail
`;
}

function topWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
}

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
  const summary = `-d '${quotedForFish(command.summary)}'`;
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
    ({ long, description }) =>
      `complete -c handrail -n '${inside}' -l ${long.slice(2)} -d '${quotedForFish(description)}'`,
  );
  return [own, ...ofChoices, ...ofOptions];
}

function quotedForFish(text: string): string {
  return text.replaceAll("'", "\\'");
}

/** A script for zsh: to be evaluated, or put as `_handrail` into a folder of `fpath`. */
export function zshCompletion(commands: readonly Command[]): string {
  const groups = groupsOf(commands);
  const tops = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
  const described = tops.map((name) => `'${name}:${quotedForZsh(summaryOf(commands, name))}'`).join(' ');
  const cases = commands.map((command) => {
    const choices = command.argument?.choices ?? [];
    const options = optionsOf(command).map(({ long, description }) => `'${long}:${quotedForZsh(description)}'`);
    return `    '${command.name}') words=(${choices.map((choice) => `'${choice}'`).join(' ')}); options=(${options.join(' ')}) ;;`;
  });
  const groupCases = [...groups].map(
    ([group, words]) => `    '${group}') words=(${words.map((word) => `'${word}'`).join(' ')}) ;;`,
  );
  return `#compdef handrail
_handrail() {
  local command="\${words[2]}"
  local -a commands options
  commands=(${described})
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$command" in
    ${[...groups.keys()].join('|')}) (( CURRENT > 3 )) && command="$command \${words[3]}" ;;
  esac
  local -a words options
  case "$command" in
${[...cases, ...groupCases].join('\n')}
  esac
  (( \${#words} )) && _describe 'word' words
  if [[ "$PREFIX" == -* ]]; then _describe 'option' options; elif (( ! \${#words} )); then _files; fi
}
if [ "\${funcstack[1]}" = _handrail ]; then _handrail "$@"; else compdef _handrail handrail; fi
`;
}

function summaryOf(commands: readonly Command[], name: string): string {
  const found = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `));
  return found.map(({ summary }) => summary).join('; ');
}

/** Inside of single quotes, where a colon ends the word. */
function quotedForZsh(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
