import { noteStatements } from '../commands/development.ts';
import { hostOf } from '../commands/network.ts';
import { type Danger, listed, type Notebook, shortened } from '../finding.ts';
import { lastingEffectAt, secretNamed } from '../places.ts';
import { decoded } from '../shell/interpreters.ts';
import { type Effect, effectOf } from './calls.ts';
import { type Comments, readTokens, type Token } from './tokens.ts';

export type ShellAnalysis = (text: string, at: { line: number; depth: number }) => void;
type Options = { notebook: Notebook; shell: ShellAnalysis; line?: number; depth?: number; comments: Comments };

const MOST_ARGUMENTS = 60;
/** In characters that are read in the same time. */
const WORK_PER_CALL = 120;
const WORK_PER_NAME = 12;

/** Notes the dangers of a script in Python, JavaScript or a similar language, by the library functions that it calls. */
export function analyseCode(source: string, options: Options): void {
  const { notebook, shell, line = 1, depth = 0, comments } = options;
  if (depth > 8 || !notebook.spend(source.length)) return;
  const tokens = readTokens(source, { line, comments });
  const context: Context = {
    tokens,
    values: new Map(),
    notebook,
    shell,
    depth,
    aliases: aliasesIn(tokens),
    effectOf: createEffects(),
    code: (text, at) => analyseCode(text, { ...options, line: at, depth: depth + 1 }),
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'string') noteString(token, notebook);
    if (token.kind !== 'name') continue;
    if (!notebook.spend(WORK_PER_NAME)) return;
    noteAssignment(context, at);
    noteCall(context, at);
    if (ENVIRONMENT.test(token.text)) noteEnvironment(context, at);
  }
}

const ENVIRONMENT = /^(?:os\.environ|process\.env|ENV)$/u;

/** One variable by its name, or all of them, among which can be keys. */
function noteEnvironment({ tokens, notebook }: Context, at: number): void {
  const { text = '', line = 1 } = tokens[at] ?? {};
  const isOne = tokens[at + 1]?.text === '[' || tokens[at + 1]?.text === '.';
  if (isOne) notebook.note('looks', 'reads variables of the environment', line);
  else notebook.note('credentials', `reads all variables of the environment, which can hold keys (${text})`, line);
}

type Values = Map<string, string>;
type Context = {
  tokens: readonly Token[];
  values: Values;
  notebook: Notebook;
  shell: ShellAnalysis;
  depth: number;
  aliases: ReadonlyMap<string, string>;
  effectOf(name: string): Effect | undefined;
  /** Analyses text in the same language. */
  code(text: string, line: number): void;
};

/** Scripts use few names often. */
function createEffects() {
  const known = new Map<string, Effect | undefined>();
  return (name: string) => {
    if (known.has(name)) return known.get(name);
    const effect = effectOf(name);
    if (known.size < 2_000) known.set(name, effect);
    return effect;
  };
}

/** Names that stand for others: `import shutil as s`, `from os import remove as r`, `{ rmSync: r } = require('fs')`. */
function aliasesIn(tokens: readonly Token[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || aliases.size > 500 || tokens[at - 1]?.text === 'as') continue;
    const alias = aliasOf(tokens, at) ?? importedFrom(tokens, at) ?? boundModule(tokens, at);
    if (alias !== undefined) aliases.set(alias.name, alias.of);
  }
  return aliases;
}

type Alias = { name: string; of: string };

function aliasOf(tokens: readonly Token[], at: number): Alias | undefined {
  const [joint, other, text] = [tokens[at + 1]?.text, tokens[at + 2], tokens[at]?.text ?? ''];
  const isRenamed = joint === 'as' || (joint === ':' && effectOf(text) !== undefined);
  if (!isRenamed || other?.kind !== 'name' || other.text === text) return undefined;
  return { name: other.text, of: importedFrom(tokens, at)?.of ?? text };
}

/** `const NAME = require('MODULE')` */
function boundModule(tokens: readonly Token[], at: number): Alias | undefined {
  const [name, equals, module] = [tokens[at - 2], tokens[at - 1], tokens[at + 2]];
  if (tokens[at]?.text !== 'require' || equals?.text !== '=' || name?.kind !== 'name') return undefined;
  return module?.kind === 'string'
    ? { name: name.text, of: module.text.replace(/^node:/u, '').replace('/', '.') }
    : undefined;
}

/** `from MODULE import NAME, NAME` */
function importedFrom(tokens: readonly Token[], at: number): Alias | undefined {
  const name = tokens[at]?.text ?? '';
  for (let back = at - 1; back >= 2 && back > at - 12; back -= 1) {
    const { text = '' } = tokens[back] ?? {};
    if (text === '\n' || text === ';') return undefined;
    if (text === 'import' && tokens[back - 2]?.text === 'from')
      return { name, of: `${tokens[back - 1]?.text}.${name}` };
  }
  return undefined;
}

/** `name = "text"`: later uses of the name stand for the text. The strings of one statement count together. */
function noteAssignment({ tokens, values, notebook }: Context, at: number): void {
  const name = tokens[at]?.text ?? '';
  if (tokens[at + 1]?.text !== '=' || tokens[at + 2]?.text === '=' || values.size > 500) return;
  if (/^(?:require|import|await)$/u.test(tokens[at + 2]?.text ?? '')) return;
  const texts = textsFrom(tokens, at + 2, values);
  if (!notebook.spend(texts.length * WORK_PER_NAME)) return;
  if (texts.length > 0) values.set(name, texts.join('/').slice(0, 1_000));
}

function textsFrom(tokens: readonly Token[], from: number, values: Values): string[] {
  const texts: string[] = [];
  for (const token of tokens.slice(from, from + MOST_ARGUMENTS)) {
    if (token.text === '\n' || token.text === ';') break;
    const text = token.kind === 'string' ? token.text : token.kind === 'name' ? values.get(token.text) : undefined;
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** Strings, and names with known strings, up to the bracket that ends the call. */
function argumentsOf({ tokens, values }: Context, at: number): string[] | undefined {
  let from = at + 1;
  while (tokens[from]?.text === '\n' && from < at + 4) from += 1;
  if (tokens[from]?.text !== '(' && tokens[from]?.kind !== 'string') return undefined;
  const found: string[] = [];
  let depth = 0;
  for (const token of tokens.slice(from, from + MOST_ARGUMENTS)) {
    depth += depthOf(token);
    const text = token.kind === 'string' ? token.text : token.kind === 'name' ? values.get(token.text) : undefined;
    if (text !== undefined) found.push(text);
    if (depth <= 0) break;
  }
  return found;
}

function depthOf({ kind, text }: Token): number {
  if (kind !== 'mark') return 0;
  return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
}

/** The object of a method: `Path("a").unlink()`, or a variable with a known text. */
function objectBefore({ tokens, values }: Context, at: number): string[] {
  const name = tokens[at]?.text ?? '';
  const known = values.get(name.slice(0, name.lastIndexOf('.')));
  if (known !== undefined) return [known];
  if (tokens[at - 1]?.text !== '.') return [];
  const before = tokens.slice(Math.max(0, at - 14), at);
  if (before.some(({ text }) => text === 'require')) return [];
  const start = before.findLastIndex(({ text, kind }) => kind === 'mark' && (text === '\n' || text === ';'));
  return before.slice(start + 1).flatMap(({ kind, text }) => (kind === 'string' ? [text] : (values.get(text) ?? [])));
}

function noteCall(context: Context, at: number) {
  const { tokens, notebook, aliases } = context;
  const { text: written = '', line = 1 } = tokens[at] ?? {};
  const [first = '', ...rest] = written.split('.');
  const effect = context.effectOf([aliases.get(first) ?? first, ...rest].join('.'));
  if (effect === undefined || !notebook.spend(WORK_PER_CALL)) return;
  const given = argumentsOf(context, at);
  if (given === undefined) return;
  const texts = [...objectBefore(context, at), ...given].filter((text) => text.trim() !== '');
  noteEffect(effect, {
    name: shortened(written),
    texts,
    note: (danger, words) => notebook.note(danger, words, line),
    shell: (text) => context.shell(text, { line, depth: context.depth + 1 }),
    code: (text) => context.code(text, line),
  });
}

type Noted = {
  /** The function, as the script calls it. */
  name: string;
  texts: string[];
  note(danger: Danger, words: string): void;
  shell(text: string): void;
  code(text: string): void;
};

function noteEffect(effect: Effect, noted: Noted) {
  const { texts, note } = noted;
  switch (effect.kind) {
    case 'danger':
      return noteDanger(effect, noted);
    case 'read':
      return notePath(note, { danger: 'reads', verb: effect.verb, path: texts[0] });
    case 'write':
      return notePath(note, { danger: 'overwrites', verb: effect.verb, path: texts[0] });
    case 'open':
      return noteOpen(noted);
    case 'shell':
      if (texts.length === 0) note('runs', 'runs a command that it works out while it runs');
      return runTexts(texts, noted);
    case 'program':
      return texts.length === 0 ? note('runs', 'starts another program') : runWords(texts, noted);
    case 'evaluate':
      return note('runs', 'runs a text or a module that it works out while it runs');
    case 'decode':
      return noteDecoded(texts, noted);
    case 'address':
      return noteAddress(effect, noted);
  }
}

function noteDanger({ danger, verb, needsObject }: Effect & { kind: 'danger' }, { texts, note, name }: Noted) {
  const objects = listed(texts.slice(0, 4));
  if (needsObject && objects === '') return;
  const isWhole = verb.includes(' ') && !needsObject && !verb.endsWith(' of');
  note(danger, isWhole ? `${verb} (${name})` : `${verb} ${objects || 'files'}`);
}

function noteOpen({ texts: [path, mode = 'r'], note }: Noted) {
  const isWriting = /^(?:[wax]b?\+?t?|r\+b?|rb\+|>>?)$/u.test(mode);
  const verb = mode.startsWith('a') || mode === '>>' ? 'adds to' : 'overwrites';
  notePath(note, isWriting ? { danger: 'overwrites', verb, path } : { danger: 'reads', verb: 'reads', path });
}

function noteAddress({ danger, verb }: Effect & { kind: 'address' }, { texts, note, name }: Noted) {
  const host = listed(texts.slice(0, 1).map(hostOf)) || `another computer (${name})`;
  if (texts.some((text) => /^(?:POST|PUT|PATCH|DELETE)$/u.test(text))) note('sends', `sends data to ${host}`);
  else if (texts.length > 1 && danger === 'sends') note(danger, `${verb} ${host} (${name}: ${listed(texts.slice(1))})`);
  else if (texts.length > 1) note(danger, `${verb} ${host}, and uses ${listed(texts.slice(1))}`);
  else note(danger, `${verb} ${host}`);
}

function notePath(
  note: Noted['note'],
  { danger, verb, path }: { danger: Danger; verb: string; path: string | undefined },
) {
  if (path === undefined) return note(danger, `${verb} a file whose name it works out while it runs`);
  const effect = danger === 'reads' ? undefined : lastingEffectAt(path);
  const secret = secretNamed(path);
  if (effect !== undefined) note('persists', `${verb} ${shortened(path)}, ${effect}`);
  else if (secret !== undefined) note('credentials', `${verb} ${shortened(path)} (${secret})`);
  else note(danger, `${verb} ${shortened(path)}`);
}

function runTexts(texts: readonly string[], { shell }: Noted) {
  for (const text of texts) shell(text);
}

/** A list of words is a command of its own. A text with blanks is a line for the shell. */
function runWords(texts: readonly string[], noted: Noted) {
  if (/\s/u.test(texts[0] ?? '')) return runTexts(texts, noted);
  noted.shell(texts.map(quotedForShell).join(' '));
}

function quotedForShell(text: string): string {
  return /^[\w./~=:@%+,-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function noteDecoded([text]: readonly string[], { note, shell, code }: Noted) {
  if (text === undefined) return;
  const plain = decoded(text);
  note('hides', `holds encoded text (${shortened(text)})`);
  if (plain !== text && /^[\s\x20-\x7e]*$/u.test(plain)) {
    shell(plain);
    code(plain);
  }
}

/** Notes secrets, lasting places and statements of a database in a string, even if no known function uses it. */
function noteString({ text, line }: Token, notebook: Notebook): void {
  if (text.length < 300 && /[./]/u.test(text) && !/[\n]/u.test(text)) {
    const secret = secretNamed(text);
    if (secret !== undefined) notebook.note('credentials', `uses ${shortened(text)} (${secret})`, line);
    else if (/[/~]/u.test(text) && lastingEffectAt(text) !== undefined)
      notebook.note('persists', `names ${shortened(text)}, ${lastingEffectAt(text)}`, line);
  }
  if (/drop|truncate|delete|update|flush|outfile/iu.test(text))
    noteStatements({ note: (danger, words) => notebook.note(danger, words, line) }, text);
}
