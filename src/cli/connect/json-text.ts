import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type ConfigText, lineEndOf } from './config-text.ts';

/** JSON with comments and trailing commas, as editors take it. */
export const jsonText: ConfigText = {
  parse(text) {
    if (text.trim() === '') return undefined;
    const errors: ParseError[] = [];
    const value = parse(text, errors, READING);
    const [first] = errors;
    if (first === undefined) return value;
    throw new Error(`${printParseErrorCode(first.error)} in line ${text.slice(0, first.offset).split('\n').length}`);
  },
  set(text, { servers, name }, entry) {
    if (text.trim() === '') return `${text}${JSON.stringify({ [servers]: { [name]: entry } }, undefined, 2)}\n`;
    const root = rootOf(text);
    const list = findNodeAtLocation(root, [servers]);
    const present = findNodeAtLocation(root, [servers, name]);
    if (present !== undefined) return replaced(text, present, entry);
    return list === undefined
      ? added(text, root, { name: servers, value: { [name]: entry } })
      : added(text, list, { name, value: entry });
  },
  remove(text, { servers, name }) {
    const value = findNodeAtLocation(rootOf(text), [servers, name]);
    return value?.parent?.parent === undefined ? text : removed(text, value.parent, value.parent.parent);
  },
};

const READING = { allowTrailingComma: true, disallowComments: false } as const;

function rootOf(text: string): Node {
  const root = parseTree(text, [], READING);
  if (root?.type !== 'object') throw new Error('an object was expected');
  return root;
}

function added(text: string, object: Node, { name, value }: { name: string; value: unknown }): string {
  const inner = { from: object.offset + 1, to: object.offset + object.length - 1 };
  const content = text.slice(inner.from, inner.to);
  const last = object.children?.at(-1);
  const line = { end: lineEndOf(text), ...indentation(text, object) };
  const isOneLine = last !== undefined && !content.includes('\n');
  const member = isOneLine
    ? `${JSON.stringify(name)}: ${JSON.stringify(value)}`
    : `${JSON.stringify(name)}: ${printed(value, line)}`;
  // Behind the comments that follow the last member, so that they stay with it.
  const place = inner.from + content.trimEnd().length;
  const comma = last === undefined ? undefined : commaAfter(text, last);
  const before = isOneLine ? ' ' : `${line.end}${line.own}`;
  const after = `${comma === undefined ? '' : ','}${last === undefined ? `${line.end}${line.outer}` : ''}`;
  const tail = last === undefined ? text.slice(inner.to) : text.slice(place);
  const head = last === undefined || comma !== undefined ? text.slice(0, place) : withComma(text, place, endOf(last));
  return `${head}${before}${member}${after}${tail}`;
}

function withComma(text: string, place: number, at: number): string {
  return `${text.slice(0, at)},${text.slice(at, place)}`;
}

function replaced(text: string, node: Node, value: unknown): string {
  const isOneLine = !text.slice(node.offset, endOf(node)).includes('\n');
  const object = node.parent?.parent ?? node;
  const written = isOneLine
    ? JSON.stringify(value)
    : printed(value, { end: lineEndOf(text), ...indentation(text, object) });
  return `${text.slice(0, node.offset)}${written}${text.slice(endOf(node))}`;
}

function removed(text: string, member: Node, object: Node): string {
  const inner = { from: object.offset + 1, to: object.offset + object.length - 1 };
  const from = inner.from + text.slice(inner.from, member.offset).trimEnd().length;
  const comma = commaAfter(text, member);
  const to = comma === undefined ? endOf(member) : comma + 1;
  const children = object.children ?? [];
  const previous = children[children.indexOf(member) - 1];
  // Without a comma behind it, it is the last: the comma in front of it goes, too.
  const spare = comma === undefined && previous !== undefined ? commaAfter(text, previous) : undefined;
  const head = spare === undefined ? text.slice(0, from) : `${text.slice(0, spare)}${text.slice(spare + 1, from)}`;
  const tail = text.slice(to);
  const isEmpty = children.length === 1 && text.slice(inner.from, from).trim() === '';
  return isEmpty ? `${text.slice(0, inner.from)}${text.slice(inner.to)}` : `${head}${tail}`;
}

/** The place of the comma behind a member, past comments; `undefined` where there is none. */
function commaAfter(text: string, member: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(member));
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

type Line = { end: string; outer: string; own: string; step: string };

function printed(value: unknown, { end, own, step }: Line): string {
  return JSON.stringify(value, undefined, step || 2).replaceAll('\n', `${end}${own}`);
}

/** The white space in front of an object's line and of its members, as the file has it. */
function indentation(text: string, object: Node): Omit<Line, 'end'> {
  const outer = marginAt(text, object.parent?.type === 'property' ? object.parent.offset : object.offset);
  const [first] = object.children ?? [];
  const isOneLine = first !== undefined && !text.slice(object.offset, first.offset).includes('\n');
  const step = stepOf(text);
  const own = first === undefined || isOneLine ? `${outer}${step}` : marginAt(text, first.offset);
  return { outer, own, step };
}

function marginAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One step of indentation: that of the first line that has one. */
function stepOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}
