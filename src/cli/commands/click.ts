import type { Command } from '../command.ts';
import { runAction } from '../follow-action.ts';

export const click: Command = {
  name: 'click',
  summary: 'click an element that describe showed',
  argument: { form: '<element>', description: 'its @ref or id, as describe prints it' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: ['handrail click @12'],
  run: (invocation) => {
    const [elementId = ''] = invocation.words;
    return runAction(invocation, { actionType: 'Click', parameters: { elementId } }, ({ details }) => details);
  },
};
