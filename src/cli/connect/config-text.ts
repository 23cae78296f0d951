import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../command.ts';

export type Key = { servers: string; name: string };
type Members = Record<string, unknown>;

/** One format of configuration files. Every edit changes the text of one entry and keeps all other bytes. */
export type ConfigText = {
  /** The whole content as values. Throws where the text is broken. */
  parse(text: string): unknown;
  /** Adds or replaces one entry. */
  set(text: string, key: Key, entry: Members): string;
  /** Takes one entry out. The entry is there. */
  remove(text: string, key: Key): string;
};

/** The entry of a name; `undefined` where there is none. Throws CommandError where the file is broken or of another shape. */
export function entryIn(format: ConfigText, text: string, key: Key): unknown {
  return serversIn(parsed(format, text), key)[key.name];
}

/** The text with the entry. The result is read again, and must differ from the text before in this entry only. */
export function withEntry(format: ConfigText, text: string, { entry, ...key }: Key & { entry: Members }): string {
  const before = parsed(format, text);
  const servers = serversIn(before, key);
  if (isDeepStrictEqual(servers[key.name], entry)) return text;
  const expected = { ...before, [key.servers]: { ...servers, [key.name]: entry } };
  return checked(format, format.set(text, key, entry), expected);
}

/** The text without the entry, which is there. Checked in the same way. */
export function withoutEntry(format: ConfigText, text: string, key: Key): string {
  const before = parsed(format, text);
  const { [key.name]: _removed, ...others } = serversIn(before, key);
  const after = format.remove(text, key);
  // Where it was the only one, a file may be left with an empty list or with none.
  const { [key.servers]: _servers, ...rest } = before;
  const isLast = Object.keys(others).length === 0 && isDeepStrictEqual(valuesOf(format, after), rest);
  return isLast ? after : checked(format, after, { ...before, [key.servers]: others });
}

function checked(format: ConfigText, text: string, expected: Members): string {
  if (isDeepStrictEqual(valuesOf(format, text), expected)) return text;
  throw new CommandError(
    'This file is written in a way that cannot be changed safely, so it was left as it is. Use --print and change it by hand.',
  );
}

function valuesOf(format: ConfigText, text: string): unknown {
  try {
    return format.parse(text);
  } catch {
    // An edit that breaks the file is never written.
    return undefined;
  }
}

function parsed(format: ConfigText, text: string): Members {
  try {
    return membersOf(format.parse(text), 'The file');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The file cannot be read (${why}), so it was left as it is. Mend it and try again.`);
  }
}

function serversIn(content: Members, { servers }: Key): Members {
  return membersOf(content[servers], `"${servers}"`);
}

function membersOf(value: unknown, what: string): Members {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return Object.fromEntries(Object.entries(value));
  throw new CommandError(`${what} should have a member for each server, and has not.`);
}

/** The line ending of a text, as its first line has it. */
export function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
}
