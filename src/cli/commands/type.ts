import type { Command } from '../command.ts';
import { runAction } from '../follow-action.ts';

export const type: Command = {
  name: 'type',
  summary: 'type a text into what has the focus',
  argument: { form: '<text>', description: 'as it is; keys such as Return are for "act PressKeys"' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: ['handrail type "Dear Ann,"'],
  run: (invocation) => {
    const [text = ''] = invocation.words;
    return runAction(invocation, { actionType: 'TypeText', parameters: { text } }, ({ details }) => details);
  },
};
