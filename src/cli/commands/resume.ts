import { createInterface } from 'node:readline/promises';
import { type Command, CommandError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { tell } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';

export const resume: Command = {
  name: 'resume',
  summary: 'end the stop; it takes a code where Handrail runs in a terminal',
  examples: ['handrail resume'],
  async run({ surroundings, isJson }) {
    const { hasTerminal } = JSON.parse(await tell(surroundings, 'status'));
    await tell(surroundings, 'resume', { words: hasTerminal === true ? await typedCode(surroundings) : '' });
    surroundings.output.write(isJson ? '{"paused":false}\n' : 'Handrail goes on. Requests that ask will ask again.\n');
    return EXIT.done;
  },
};

/** The code is typed and never an argument: every process can read the arguments of another. */
async function typedCode({ input, errors, stopped }: Surroundings): Promise<string> {
  if (input.isTTY === true) errors.write('Press Enter where Handrail runs, and type the code that it prints: ');
  const lines = createInterface({ input, signal: stopped });
  try {
    for await (const line of lines) return line.trim();
  } finally {
    lines.close();
  }
  throw new CommandError(
    'To resume, give the code that Handrail prints when you press Enter in its terminal, on standard input.',
  );
}
