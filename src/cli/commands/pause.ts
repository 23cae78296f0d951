import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { tell } from '../running.ts';

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
