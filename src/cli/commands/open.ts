import { openOwnWindow } from '../../own-daemon/own-window.ts';
import { type Command, CommandError, EXIT } from '../command.ts';
import { runAction } from '../follow-action.ts';
import { baseOf, settingsOf, tell } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';

export const open: Command = {
  name: 'open',
  summary: 'open the dashboard in a window of its own; with a name, open an app or bring it to the front',
  argument: { form: '[app]', description: 'its name, such as TextEdit, or its bundle or desktop id' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: ['handrail open', 'handrail open mousepad', 'handrail open "Visual Studio Code"'],
  run: async (invocation) => {
    const [appName] = invocation.words;
    if (appName === undefined) return openDashboard(invocation.surroundings);
    return runAction(invocation, { actionType: 'OpenApp', parameters: { appName } }, ({ details }) => details);
  },
};

async function openDashboard(surroundings: Surroundings): Promise<typeof EXIT.done> {
  const { platform, environment, output } = surroundings;
  const address = `${await baseOf(surroundings)}/`;
  const opened = openOwnWindow(
    { dataDirectory: settingsOf(surroundings).dataDirectory, address },
    { platform, environment },
  );
  if (opened === undefined)
    throw new CommandError(
      `There is no desktop here, or none of Chromium, Chrome, Edge and Brave. Open ${address} yourself.`,
    );
  if ('because' in opened) throw new CommandError(opened.because);
  output.write(`The dashboard opens in ${opened.browser}: ${address}\n`);
  return EXIT.done;
}

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
