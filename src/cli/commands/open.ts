import type { Command } from '../command.ts';
import { runAction } from '../follow-action.ts';

export const open: Command = {
  name: 'open',
  summary: 'open an app, or bring it to the front',
  argument: { form: '<app>', description: 'its name, such as TextEdit, or its bundle or desktop id' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: ['handrail open mousepad', 'handrail open "Visual Studio Code"'],
  run: (invocation) => {
    const [appName = ''] = invocation.words;
    return runAction(invocation, { actionType: 'OpenApp', parameters: { appName } }, ({ details }) => details);
  },
};
