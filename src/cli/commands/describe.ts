import type { Action } from '../../contract/action.ts';
import type { ScreenDescription } from '../../contract/screen.ts';
import type { Command } from '../command.ts';
import { runAction } from '../follow-action.ts';
import { printableLine } from '../terminal.ts';

export const describe: Command = {
  name: 'describe',
  summary: 'list the windows and elements on the screen',
  options: [{ flags: '--contents', description: 'also values and texts; Handrail asks you first' }],
  isRequester: true,
  examples: ['handrail describe', 'handrail describe --json'],
  run: (invocation) => {
    const parameters = invocation.options.contents === true ? { contents: true } : {};
    return runAction(invocation, { actionType: 'DescribeScreen', parameters }, (action) => screenText(action.data));
  },
};

/** One line for each window, with its elements below it. Containers without a name are left out. */
export function screenText(data: Action['data']): string {
  const { windows, elements, degradedReasons, complete } = data as ScreenDescription;
  const lines = windows.flatMap((window) => [
    `${printableLine(window.app)}  "${printableLine(window.title)}"${window.focused ? '  focused' : ''}`,
    ...elements.filter(({ windowId }) => windowId === window.id).flatMap(elementLine),
  ]);
  const others = elements.filter(({ windowId }) => windowId === null).flatMap(elementLine);
  const reasons = complete
    ? []
    : degradedReasons.map(({ message, fix }) => `(incomplete: ${message}${fix === undefined ? '' : ` ${fix}`})`);
  const all = [...lines, ...others, ...reasons];
  return all.length === 0 ? 'No windows are open.' : all.join('\n');
}

function elementLine({ role, name, value, depth, enabled, focused }: ScreenDescription['elements'][number]): string[] {
  if (name === '' && value === undefined) return [];
  const shown = value === undefined ? '' : ` = ${printableLine(value)}`;
  const state = `${enabled ? '' : '  off'}${focused ? '  focused' : ''}`;
  return [`${'  '.repeat(Math.min(depth, 12) + 1)}${role} "${printableLine(name)}"${shown}${state}`];
}
