import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { NAMES } from './connect.ts';

export const disconnect: Command = {
  name: 'disconnect',
  summary: "take Handrail's own entry out of a client's settings",
  argument: { form: '<client>', description: NAMES.join(', '), choices: NAMES },
  options: [{ flags: '-y, --yes', description: 'do not ask' }],
  examples: ['handrail disconnect claude-code'],
  async run(invocation) {
    const [{ readConfig, writeConfig }, { entryIn, withoutEntry }, connection] = await Promise.all([
      import('../connect/config-file.ts'),
      import('../connect/config-text.ts'),
      import('../connect/connection.ts'),
    ]);
    const { output, errors } = invocation.surroundings;
    const wanted = connection.connectionOf(invocation);
    const { client, file, format, key } = wanted;
    const config = readConfig(file);
    const present = entryIn(format, config.text, key);
    const told = (isChanged: boolean, line: string) =>
      output.write(`${invocation.isJson ? JSON.stringify({ client: client.name, file, isChanged }) : line}\n`);
    if (present === undefined) {
      told(false, `${client.title} is not connected: ${file} has no entry of Handrail.`);
      return EXIT.done;
    }
    connection.requireOwn(present, wanted);
    const text = withoutEntry(format, config.text, key);
    if (!invocation.isJson)
      errors.write(`In ${config.path}:\n${connection.marked('-', connection.printedValue(wanted, present))}\n`);
    if (!(await connection.agrees(invocation, 'Take this out?'))) {
      errors.write('Nothing was changed.\n');
      return EXIT.other;
    }
    writeConfig(config, text);
    told(true, `${client.title} is no longer connected.`);
    return EXIT.done;
  },
};
