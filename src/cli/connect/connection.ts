import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT, type Invocation } from '../command.ts';
import { printable } from '../terminal.ts';
import { CLIENTS, isOwnEntry, type McpClient, SERVER, type ServerEntry } from './clients.ts';
import type { ConfigText, Key } from './config-text.ts';
import { jsonText } from './json-text.ts';
import { tomlText } from './toml-text.ts';
import { yamlText } from './yaml-text.ts';

const FORMATS: Readonly<Record<McpClient['format'], ConfigText>> = { json: jsonText, toml: tomlText, yaml: yamlText };
/** Settings of the daemon that is meant and of its tools; they go into the entry where they are set. */
const PASSED_ON = ['HANDRAIL_DATA_DIR', 'HANDRAIL_PORT', 'HANDRAIL_USER_ID', 'HANDRAIL_MCP_TOOLS'] as const;

export type Connection = {
  client: McpClient;
  file: string;
  format: ConfigText;
  key: Key;
  entry: Record<string, unknown>;
};

export function connectionOf({ words, surroundings }: Invocation): Connection {
  const [name = ''] = words;
  const client = CLIENTS.find((known) => known.name === name);
  if (client === undefined)
    throw new CommandError(
      `There is no client "${name}". There are ${CLIENTS.map((known) => known.name).join(', ')}.`,
      EXIT.usage,
    );
  const { environment, self } = surroundings;
  const env = Object.fromEntries(PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const own: ServerEntry = { command: self.command, args: [...self.args, 'mcp'], env };
  const key = { servers: client.servers, name: SERVER };
  return { client, file: client.file(surroundings), format: FORMATS[client.format], key, entry: client.shape(own) };
}

/** The entry alone, as a file of this client's has it. */
export function printedEntry({ format, key, entry }: Connection): string {
  return format.set('', key, entry).trimEnd();
}

export function printedValue({ format, key }: Connection, value: unknown): string {
  const members = typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : { value };
  return format.set('', key, members).trimEnd();
}

/** Refuses to change an entry of this name that starts another program. */
export function requireOwn(present: unknown, { client, file }: Connection): void {
  if (present === undefined || isOwnEntry(present)) return;
  throw new CommandError(
    `${client.title} has another server of the name ${SERVER} in ${file}. It was left as it is; give it another name and try again.`,
  );
}

export function marked(mark: '+' | '-', text: string): string {
  return printable(text)
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n');
}

/** Whether the person agrees. `--yes` agrees; without a terminal nobody can be asked. */
export async function agrees({ options, surroundings }: Invocation, question: string): Promise<boolean> {
  if (options.yes === true) return true;
  const { input, errors, stopped } = surroundings;
  if (input.isTTY !== true)
    throw new CommandError(
      'There is no terminal to ask you at. --yes writes it, and --print only prints it.',
      EXIT.usage,
    );
  errors.write(`${question} [y/N] `);
  const lines = createInterface({ input, signal: stopped });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
