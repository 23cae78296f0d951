import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, CommandError, type Invocation, textOf } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { runAction } from '../follow-action.ts';
import { answered } from '../requester.ts';

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
