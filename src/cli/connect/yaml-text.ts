import {
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml';
import { type ConfigText, type Key, lineEndOf } from './config-text.ts';

/** YAML. The entry is the first of its list, right behind the list's name, so that comments stay with the entries they belong to. */
export const yamlText: ConfigText = {
  parse(text) {
    const document = parseDocument(text);
    const [first] = document.errors;
    if (first !== undefined) throw first;
    return document.toJS();
  },
  set(text, key, entry) {
    const end = lineEndOf(text);
    const present = rangeOf(text, key);
    const list = listOf(text, key);
    const margin = ' '.repeat(marginOf(text, list?.map));
    const block = `${margin}${key.name}:${end}${indented(entry, `${margin}  `, end)}`;
    if (present !== undefined) return `${text.slice(0, present.from)}${block}${text.slice(present.to)}`;
    if (list === undefined) {
      const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
      return `${before}${key.servers}:${end}${block}${end}`;
    }
    return `${text.slice(0, list.headEnd)}${end}${block}${text.slice(list.restFrom)}`;
  },
  remove(text, key) {
    const present = rangeOf(text, key);
    const list = listOf(text, key);
    if (present === undefined || list === undefined) return text;
    // Back to the end of the line before.
    const head = text.slice(0, present.from).replace(/\r?\n$/, '');
    const isOnly = list.map?.items.length === 1;
    const empty = isOnly ? `${text.slice(0, list.headEnd)} {}${head.slice(list.headEnd)}` : head;
    return `${empty}${text.slice(present.to)}`;
  },
};

type List = {
  map: YAMLMap | undefined;
  /** The end of the line with the list's name. */
  headEnd: number;
  /** Where the rest of the file goes on. An empty list, `{}`, is left out in between. */
  restFrom: number;
};

function listOf(text: string, { servers }: Key): List | undefined {
  const pair = pairIn(parseDocument(text).contents, servers);
  if (pair === undefined || !isNode(pair.key)) return undefined;
  const keyEnd = pair.key.range?.[1] ?? 0;
  const lineEnd = endOfLine(text, keyEnd);
  const value = isNode(pair.value) ? pair.value : undefined;
  if (isMap(value) && !value.flow) return { map: value, headEnd: lineEnd, restFrom: lineEnd };
  const valueEnd = value?.range?.[1] ?? keyEnd;
  const headEnd = text.indexOf(':', keyEnd) + 1;
  // A list in one line that has entries is not touched: the check of the result refuses it.
  return { map: undefined, headEnd, restFrom: isScalar(value) && value.source === '' ? headEnd : valueEnd };
}

function rangeOf(text: string, { servers, name }: Key): { from: number; to: number } | undefined {
  const list = pairIn(parseDocument(text).contents, servers)?.value;
  const pair = isMap(list) && !list.flow ? pairIn(list, name) : undefined;
  if (pair === undefined || !isNode(pair.key)) return undefined;
  const keyStart = pair.key.range?.[0] ?? 0;
  const from = text.lastIndexOf('\n', keyStart - 1) + 1;
  return { from, to: endOfLine(text, lastLeafEnd(pair)) };
}

function pairIn(map: unknown, name: string): Pair | undefined {
  return isMap(map)
    ? map.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)
    : undefined;
}

/** Behind the last value of an entry. Its own range would take the comments that follow it in. */
function lastLeafEnd(pair: Pair): number {
  let end = isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  const see = (_key: unknown, node: Node) => {
    const isLeaf = isScalar(node) || ('flow' in node && node.flow === true);
    if (isLeaf) end = Math.max(end, node.range?.[1] ?? 0);
  };
  if (isNode(pair.value)) visit(pair.value, { Node: see });
  return end;
}

function endOfLine(text: string, offset: number): number {
  // A value of several lines ends behind its line end already.
  const from = text[offset - 1] === '\n' ? offset - 1 : offset;
  const at = text.indexOf('\n', from);
  const end = at === -1 ? text.length : at;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function marginOf(text: string, map: YAMLMap | undefined): number {
  const key = map?.items[0]?.key;
  const start = isNode(key) ? key.range?.[0] : undefined;
  return start === undefined ? 2 : start - (text.lastIndexOf('\n', start - 1) + 1);
}

function indented(entry: Record<string, unknown>, margin: string, end: string): string {
  const lines = stringify(entry, { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => `${margin}${line}`).join(end);
}
