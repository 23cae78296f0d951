import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { baseOf, tell } from '../running.ts';

export const login: Command = {
  name: 'login',
  summary: 'print a fresh sign-in code of a Handrail that has no terminal',
  examples: ['handrail login'],
  async run({ surroundings, isJson }) {
    const code = await tell(surroundings, 'login');
    const dashboard = `${await baseOf(surroundings)}/`;
    const text = isJson ? JSON.stringify({ dashboard, code }) : `dashboard ${dashboard}\ncode ${code}`;
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};
