import { type Command, EXIT } from '../command.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion/shells.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `commands` is called when the command runs, because this one is among them. */
export function createCompletionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print the completion of a shell',
    argument: { form: '<shell>', description: 'bash, zsh or fish', choices: Object.keys(SHELLS) },
    examples: [
      'handrail completion bash > ~/.local/share/bash-completion/completions/handrail',
      'eval "$(handrail completion zsh)"',
      'handrail completion fish > ~/.config/fish/completions/handrail.fish',
    ],
    async run({ words, surroundings }) {
      const [shell = ''] = words;
      const print = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
      if (print !== undefined) surroundings.output.write(print(await Promise.all(commands().map(withUsual))));
      return print === undefined ? EXIT.usage : EXIT.done;
    },
  };
}

/** The command with its usual words as its choices. */
async function withUsual(command: Command): Promise<Command> {
  const { argument } = command;
  if (argument?.usual === undefined) return command;
  return { ...command, argument: { ...argument, choices: await argument.usual() } };
}
