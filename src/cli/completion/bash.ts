import type { Command } from '../command.ts';
import { flagsOf, groupsOf } from './words.ts';

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
