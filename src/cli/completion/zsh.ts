import type { Command } from '../command.ts';
import { groupsOf, optionsOf } from './words.ts';

/** A script for zsh: to be evaluated, or put as `_handrail` into a folder of `fpath`. */
export function zshCompletion(commands: readonly Command[]): string {
  const groups = groupsOf(commands);
  const tops = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))];
  const described = tops.map((name) => `'${name}:${quoted(summaryOf(commands, name))}'`).join(' ');
  const cases = commands.map((command) => {
    const choices = command.argument?.choices ?? [];
    const options = optionsOf(command).map(({ long, description }) => `'${long}:${quoted(description)}'`);
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
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
}
