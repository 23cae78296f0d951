import type { Token } from './tokens.ts';

export type Values = Map<string, string>;
type Code = { tokens: readonly Token[]; values: Values };

const MOST_ARGUMENTS = 60;

/** The strings among the arguments of a call, and the names among them, such as those of options. */
export type Given = { texts: string[]; names: ReadonlySet<string> };

/** The texts from a token to the end of its statement, or to the bracket that closes the head of a loop. */
export function textsFrom({ tokens, values }: Code, from: number): string[] {
  const texts: string[] = [];
  let depth = 0;
  for (const token of tokens.slice(from, from + MOST_ARGUMENTS)) {
    depth += depthOf(token);
    if (depth < 0 || token.text === '\n' || token.text === ';') break;
    const text = textOf(token, values);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** Strings, and names with known strings, up to the bracket that ends the call. */
export function argumentsOf({ tokens, values }: Code, at: number): Given | undefined {
  let from = at + 1;
  while (tokens[from]?.text === '\n' && from < at + 4) from += 1;
  const isPerl = tokens[from]?.kind === 'name' && tokens[from + 1]?.kind === 'string';
  if (tokens[from]?.text !== '(' && tokens[from]?.kind !== 'string' && !isPerl) return undefined;
  const texts: string[] = [];
  const names = new Set<string>();
  let depth = isPerl ? 1 : 0;
  for (const token of tokens.slice(from, from + MOST_ARGUMENTS)) {
    depth += depthOf(token);
    const text = textOf(token, values);
    if (text !== undefined) texts.push(text);
    else if (token.kind === 'name') names.add(token.text);
    if (depth <= 0 || (isPerl && /^[\n;]$/u.test(token.text))) break;
  }
  return { texts, names };
}

function textOf({ kind, text }: Token, values: Values): string | undefined {
  if (kind === 'string') return text;
  return kind === 'name' ? values.get(text) : undefined;
}

function depthOf({ kind, text }: Token): number {
  if (kind !== 'mark') return 0;
  return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
}

/** The object of a method: `Path("a").unlink()`, or a variable with a known text. */
export function objectBefore({ tokens, values }: Code, at: number): string[] {
  const name = tokens[at]?.text ?? '';
  const known = values.get(name.slice(0, name.lastIndexOf('.')));
  if (known !== undefined) return [known];
  if (tokens[at - 1]?.text !== '.') return [];
  const before = tokens.slice(Math.max(0, at - 14), at);
  if (before.some(({ text }) => text === 'require')) return [];
  const start = before.findLastIndex(({ text, kind }) => kind === 'mark' && (text === '\n' || text === ';'));
  return before.slice(start + 1).flatMap(({ kind, text }) => (kind === 'string' ? [text] : (values.get(text) ?? [])));
}

export type ComputedCall = {
  name: string;
  /** The place of the token in front of the arguments. */
  end: number;
};

const LONGEST_NAME = 12;

/** `getattr(os, "rem" + "ove")(…)` and `fs["unlink" + "Sync"](…)`: a function whose name is a text. */
export function computedCall(tokens: readonly Token[], at: number): ComputedCall | undefined {
  const [name = '', opener] = [tokens[at]?.text, tokens[at + 1]?.text];
  const isGetattr = name === 'getattr' && opener === '(';
  if (!isGetattr && opener !== '[') return undefined;
  const rest = tokens.slice(at + 2, at + 2 + LONGEST_NAME);
  const end = rest.findIndex(({ text }) => text === (isGetattr ? ')' : ']'));
  const inner = rest.slice(0, Math.max(end, 0));
  const texts = inner.filter(({ kind }) => kind === 'string').map(({ text }) => text);
  if (texts.length === 0 || tokens[at + 3 + end]?.text !== '(') return undefined;
  const object = isGetattr ? (inner[0]?.text ?? '') : name;
  return { name: `${object}.${texts.join('')}`, end: at + 2 + end };
}
