import type { ScreenOutline } from '../../contract/screen.ts';
import type { Command } from '../command.ts';
import { runAction } from '../follow-action.ts';

export const describe: Command = {
  name: 'describe',
  summary: 'list the windows and elements on the screen',
  options: [{ flags: '--contents', description: 'also values and texts; Handrail asks you first' }],
  isRequester: true,
  examples: ['handrail describe', 'handrail describe --json'],
  run: (invocation) => {
    const contents = invocation.options.contents === true ? { contents: true } : {};
    const format = invocation.isJson ? {} : { format: 'text' };
    const parameters = { ...contents, ...format };
    return runAction(invocation, { actionType: 'DescribeScreen', parameters }, (action) => linesOf(action.data));
  },
};

/** The agent's text of the screen, then a remedy for each part that is missing. Empty for the whole record (`--json`). */
function linesOf(data: unknown): string {
  const { text = '', degradedReasons = [] } = Object(data) as Partial<ScreenOutline>;
  const fixes = degradedReasons.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  return [text, ...new Set(fixes)].join('\n');
}
