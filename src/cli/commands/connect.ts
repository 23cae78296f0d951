import { ownCommandHere, warningOfNpx } from '../../launch/own-command.ts';
import { type Command, EXIT } from '../command.ts';
import { CLIENTS } from '../connect/clients.ts';

const NAMES = CLIENTS.map(({ name }) => name);

export const connect: Command = {
  name: 'connect',
  summary: 'let an MCP client use Handrail: shows the change to its settings, and asks first',
  argument: { form: '<client>', description: NAMES.join(', '), choices: NAMES },
  options: [
    { flags: '-y, --yes', description: 'do not ask' },
    { flags: '--print', description: 'only print the entry' },
  ],
  examples: ['handrail connect claude-code', 'handrail connect codex --print'],
  async run(invocation) {
    // Loaded only here, with the parsers of all formats.
    const [{ readConfig, writeConfig }, { entryIn, withEntry }, connection] = await Promise.all([
      import('../connect/config-file.ts'),
      import('../connect/config-text.ts'),
      import('../connect/connection.ts'),
    ]);
    const { output, errors, commandFile, folder, environment } = invocation.surroundings;
    const wanted = connection.connectionOf(invocation);
    const warning = warningOfNpx(commandFile, folder);
    if (warning !== undefined) errors.write(`handrail: ${warning}\n`);
    const { client, file, format, key, entry } = wanted;
    if (invocation.options.print === true) {
      output.write(`${connection.printedEntry(wanted)}\n`);
      return EXIT.done;
    }
    const config = readConfig(file);
    const present = entryIn(format, config.text, key);
    connection.requireOwn(present, wanted);
    const text = withEntry(format, config.text, { ...key, entry });
    const told = (isChanged: boolean, line: string) =>
      output.write(`${invocation.isJson ? JSON.stringify({ client: client.name, file, isChanged, entry }) : line}\n`);
    if (text === config.text) {
      told(false, `${client.title} is connected already, by ${file}.`);
      return EXIT.done;
    }
    if (!invocation.isJson) {
      const old = present === undefined ? '' : `${connection.marked('-', connection.printedValue(wanted, present))}\n`;
      errors.write(`In ${config.path}:\n${old}${connection.marked('+', connection.printedEntry(wanted))}\n`);
    }
    if (!(await connection.agrees(invocation, 'Write this?'))) {
      errors.write('Nothing was changed.\n');
      return EXIT.other;
    }
    writeConfig(config, text);
    const back = `${ownCommandHere(commandFile, { path: environment.PATH, folder })} disconnect ${client.name}`;
    told(true, `${client.title} is connected. ${client.next} \`${back}\` takes it back.`);
    return EXIT.done;
  },
};

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
