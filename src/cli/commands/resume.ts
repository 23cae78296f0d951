import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { tellWithCode } from '../running.ts';

export const resume: Command = {
  name: 'resume',
  summary: 'end the stop; it takes a code where Handrail runs in a terminal',
  examples: ['handrail resume'],
  async run({ surroundings, isJson }) {
    await tellWithCode(surroundings, 'resume');
    surroundings.output.write(isJson ? '{"paused":false}\n' : 'Handrail goes on. Requests that ask will ask again.\n');
    return EXIT.done;
  },
};
