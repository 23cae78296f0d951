import { parse, stringify } from 'smol-toml';
import { type ConfigText, type Key, lineEndOf } from './config-text.ts';

/** TOML. The entry is a table of its own at the end of the file. */
export const tomlText: ConfigText = {
  parse: (text) => plain(parse(text)),
  set(text, key, entry) {
    const present = rangeOf(text, key);
    const end = lineEndOf(text);
    const table = stringify({ [key.servers]: { [key.name]: withoutNothing(entry) } }).trimEnd();
    const block = table.replaceAll('\n', end);
    if (present !== undefined) return `${text.slice(0, present.from)}${block}${text.slice(present.to)}`;
    if (text === '') return `${block}${end}`;
    // A file that does not end with a line end gets none, so that taking the entry out gives the same file back.
    return text.endsWith('\n') ? `${text}${end}${block}${end}` : `${text}${end}${end}${block}`;
  },
  remove(text, key) {
    const present = rangeOf(text, key);
    if (present === undefined) return text;
    const head = text.slice(0, present.from);
    const tail = text.slice(present.to);
    if (tail === '') return head.replace(/(\r?\n){1,2}$/, '');
    const isLast = /^\r?\n$/.test(tail);
    return isLast ? head.replace(/(^|\n)\r?\n$/, '$1') : `${head}${tail.replace(/^\r?\n(\r?\n)?/, '')}`;
  },
};

/** Where the table of the entry stands, with its sub-tables, from its head to the end of its last line with content. */
function rangeOf(text: string, { servers, name }: Key): { from: number; to: number } | undefined {
  const head = new RegExp(String.raw`^[ \t]*\[[ \t]*${servers}[ \t]*\.[ \t]*["']?${name}["']?[ \t]*[\].]`);
  const lines = [...text.matchAll(/[^\n]*(\n|$)/g)].map((match) => ({ at: match.index, text: match[0] }));
  const first = lines.findIndex((line) => head.test(line.text));
  const begin = lines[first];
  if (begin === undefined) return undefined;
  const next = lines.findIndex((line, index) => index > first && /^[ \t]*\[/.test(line.text) && !head.test(line.text));
  const own = lines.slice(first, next === -1 ? undefined : next);
  const last = own.findLast((line) => /^[ \t]*[^#\s]/.test(line.text)) ?? begin;
  return { from: begin.at, to: last.at + last.text.trimEnd().length };
}

/** An empty environment is left out. */
function withoutNothing(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** The tables of the parser have no prototype, which would count as a difference. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
