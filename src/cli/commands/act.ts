import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ScreenOutline } from '../../contract/screen.ts';
import { type Command, CommandError, EXIT, type Invocation, textOf } from '../command.ts';
import { runAction } from '../follow-action.ts';
import { readParameters } from '../parameters.ts';
import { answered, type Requester } from '../requester.ts';

export const act: Command = {
  name: 'act',
  summary: 'do any action by the name of its type',
  argument: {
    form: '<type>',
    description: 'such as Click; a name that does not exist lists all',
    usual: async () => Object.keys((await import('../../contract/action-data.ts')).ACTION_DATA),
  },
  rest: { form: '[parameters...]', description: 'key=value; key:=json for lists and objects' },
  options: [{ flags: '--reason <text>', description: 'your reason, shown where Handrail asks' }],
  isRequester: true,
  examples: [
    'handrail act Wait durationMs=500',
    'handrail act RequestAccess \'apps:=["Mousepad"]\' allow=input minutes=30',
    'handrail act Click x=400 y=300',
    'handrail act TypeText text="Dear Ann,"',
    'handrail act PressKeys keys=ctrl+s',
    'handrail act TakeScreenshot \'region:={"x":0,"y":0,"width":400,"height":300}\'',
  ],
  run: (invocation) => {
    const [actionType = '', ...words] = invocation.words;
    const wanted = async (requester: Requester) => {
      const schema = await schemaOf(requester, actionType);
      return { actionType, parameters: readParameters(words, schema) };
    };
    return runAction(invocation, wanted, ({ details, data }) =>
      data === undefined ? details : `${details}\n${JSON.stringify(data, undefined, 2)}`,
    );
  },
};

async function schemaOf({ client }: Requester, name: string): Promise<unknown> {
  const { items } = await answered(client.actionTypes());
  const found = items.find((type) => type.name === name);
  if (found !== undefined) return found.parameters;
  const names = items.map((type) => type.name).join(', ');
  throw new CommandError(`There is no action type "${name}". There are ${names}.`, EXIT.usage);
}

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

const FORMATS: readonly string[] = ['png', 'jpeg', 'webp'];
const BY_ENDING: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };

export const screenshot: Command = {
  name: 'screenshot',
  summary: 'take a picture of the screen into a file; Handrail asks you first',
  options: [
    { flags: '-o, --output <file>', description: 'the file to write; `-` is standard output' },
    { flags: '--format <format>', description: 'png, jpeg or webp; otherwise as the name of the file ends' },
    { flags: '--window <id>', description: 'one window, by its id in `handrail describe --json`' },
    { flags: '--reason <text>', description: 'your reason, shown with the request' },
  ],
  isRequester: true,
  examples: ['handrail screenshot -o screen.png', 'handrail screenshot --window 4194307 -o - > window.png'],
  run: async (invocation) => {
    const file = textOf(invocation, 'output');
    if (file === undefined) throw new CommandError('Name the file: `handrail screenshot -o screen.png`.', EXIT.usage);
    const windowId = textOf(invocation, 'window');
    const parameters = { format: formatOf(invocation, file), windowId };
    return runAction(invocation, { actionType: 'TakeScreenshot', parameters }, async (action, { client }) => {
      const [artifact] = action.artifacts ?? [];
      if (artifact === undefined) throw new CommandError('The answer has no picture.', EXIT.failed);
      const picture = await answered(client.artifact(artifact.url));
      const bytes = Buffer.from(await picture.arrayBuffer());
      if (file === '-') {
        invocation.surroundings.output.write(bytes);
        return '';
      }
      writeFileSync(resolve(invocation.surroundings.folder, file), bytes);
      return `${file}: ${artifact.width} × ${artifact.height}, ${Math.ceil(artifact.sizeBytes / 1_000)} kB`;
    });
  },
};

function formatOf(invocation: Invocation, file: string): string {
  const format = textOf(invocation, 'format') ?? BY_ENDING[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'png';
  if (FORMATS.includes(format)) return format;
  throw new CommandError(`--format should be png, jpeg or webp, and is "${format}".`, EXIT.usage);
}
