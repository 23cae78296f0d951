import { type Command, EXIT } from '../command.ts';
import { tell, tellWithCode } from '../running.ts';

export const pause: Command = {
  name: 'pause',
  summary: 'stop everything at once: nothing is taken, asked or sent until you resume',
  examples: ['handrail pause'],
  async run({ surroundings, isJson }) {
    await tell(surroundings, 'pause');
    const text = isJson
      ? '{"paused":true}'
      : 'Everything is stopped. `handrail resume` or the dashboard ends the stop.';
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

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
