import { noteStatements } from '../commands/development.ts';
import { hostOf } from '../commands/network.ts';
import { type Danger, listed, type Notebook, shortened } from '../finding.ts';
import { createLooks, type Looks } from '../looks.ts';
import { decoded } from '../shell/interpreters.ts';
import { argumentsOf, computedCall, type Given, objectBefore, textsFrom, type Values } from './arguments.ts';
import { type Effect, effectOf } from './calls.ts';
import { type Comments, readTokens, type Token } from './tokens.ts';

export type ShellAnalysis = (text: string, at: { line: number; depth: number }) => void;
type Options = { notebook: Notebook; shell: ShellAnalysis; line?: number; depth?: number; comments: Comments };

/** The cost of a call and of a name, counted as characters of the script: reading that many characters takes as long. */
const WORK_PER_CALL = 120;
const WORK_PER_NAME = 12;

/** Names that stand for others: `import shutil as s`, `from os import remove as r`, `{ rmSync: r } = require('fs')`. */
function aliasesIn(tokens: readonly Token[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name' || aliases.size > 500 || tokens[at - 1]?.text === 'as') continue;
    const alias = aliasOf(tokens, at) ?? importedFrom(tokens, at) ?? boundModule(tokens, at) ?? takenFrom(tokens, at);
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
  return module?.kind === 'string' ? { name: name.text, of: moduleName(module.text) } : undefined;
}

const LONGEST_LIST = 24;

/** `import { NAME, NAME } from 'MODULE'` and `const { NAME } = require('MODULE')` */
function takenFrom(tokens: readonly Token[], at: number): Alias | undefined {
  const name = tokens[at]?.text ?? '';
  if (!/^[{,]$/u.test(tokens[at - 1]?.text ?? '')) return undefined;
  const rest = tokens.slice(at + 1, at + LONGEST_LIST);
  const end = rest.findIndex(({ text }) => text === '}');
  const [joint, next, , module] = rest.slice(end + 1);
  const of = joint?.text === 'from' ? next : joint?.text === '=' && next?.text === 'require' ? module : undefined;
  return end >= 0 && of?.kind === 'string' ? { name, of: `${moduleName(of.text)}.${name}` } : undefined;
}

function moduleName(text: string): string {
  return text.replace(/^node:/u, '').replace('/', '.');
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

/** Notes the dangers of a script in Python, JavaScript or a similar language, by the library functions that it calls. */
export function analyseCode(source: string, options: Options): void {
  const { notebook, shell, line = 1, depth = 0, comments } = options;
  if (depth > 8 || !notebook.spend(source.length)) return;
  const tokens = readTokens(source, { line, comments });
  const context: Context = {
    tokens,
    values: new Map(),
    notebook,
    looks: createLooks(notebook),
    shell,
    depth,
    aliases: aliasesIn(tokens),
    effectOf: createEffects(),
    code: (text, at) => analyseCode(text, { ...options, line: at, depth: depth + 1 }),
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'string') noteString(token, context);
    if (token.kind !== 'name') continue;
    if (!notebook.spend(WORK_PER_NAME)) return;
    noteAssignment(context, at);
    noteCall(context, at);
    if (ENVIRONMENT.test(token.text)) noteEnvironment(context, at);
  }
}

const ENVIRONMENT = /^(?:os\.environ(?:\.(?:items|values|copy))?|process\.env|ENV)$/u;

/** One variable by its name, or all of them, among which can be keys. */
function noteEnvironment({ tokens, notebook }: Context, at: number): void {
  const { text = '', line = 1 } = tokens[at] ?? {};
  const isOne = tokens[at + 1]?.text === '[' || tokens[at + 1]?.text === '.';
  if (isOne) notebook.note('looks', 'reads variables of the environment', line);
  else notebook.note('credentials', `reads all variables of the environment, which can hold keys (${text})`, line);
}

type Context = {
  tokens: readonly Token[];
  values: Values;
  notebook: Notebook;
  looks: Looks;
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

/** `name = "text"`: later uses of the name stand for the text. The strings of one statement count together. */
function noteAssignment(context: Context, at: number): void {
  const { tokens, values, notebook } = context;
  const { text: name = '', line = 1 } = tokens[at] ?? {};
  if (!isAssigned(tokens, at) || values.size > 500) return;
  if (/^(?:require|import|await)$/u.test(tokens[at + 2]?.text ?? '')) return;
  const texts = textsFrom(context, at + 2);
  if (!notebook.spend(texts.length * WORK_PER_NAME) || texts.length === 0) return;
  const value = texts.join('/').slice(0, 1_000);
  values.set(name, value);
  if (texts.length > 1) noteString({ text: value, line }, context);
}

/** `NAME = …`, and the variable of a loop: `for NAME in …`, `for (const NAME of …)`. */
function isAssigned(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text];
  if (after === 'in' || after === 'of') return /^(?:for|const|let|var)$/u.test(before);
  return after === '=' && tokens[at + 2]?.text !== '=';
}

function noteCall(context: Context, at: number) {
  const { tokens, notebook, aliases } = context;
  const { text, line = 1 } = tokens[at] ?? {};
  const computed = computedCall(tokens, at);
  const written = computed?.name ?? text ?? '';
  const [first = '', ...rest] = written.split('.');
  const effect = context.effectOf([aliases.get(first) ?? first, ...rest].join('.'));
  if (effect === undefined || !notebook.spend(WORK_PER_CALL)) return;
  const given = argumentsOf(context, computed?.end ?? at);
  if (given === undefined) return;
  if (computed !== undefined)
    notebook.note('hides', `puts together the name of a function (${shortened(written)})`, line);
  const before = computed === undefined ? objectBefore(context, at) : [];
  noteEffect(effect, {
    name: shortened(written),
    texts: [...before, ...given.texts].filter((each) => each.trim() !== ''),
    names: given.names,
    looks: context.looks,
    note: (danger, words) => notebook.note(danger, words, line),
    shell: (script) => context.shell(script, { line, depth: context.depth + 1 }),
    code: (script) => context.code(script, line),
  });
}

type Noted = {
  /** The function, as the script calls it. */
  name: string;
  texts: string[];
  names: Given['names'];
  looks: Looks;
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
      return notePath(noted, { danger: 'reads', verb: effect.verb, path: pathIn(noted) });
    case 'write':
      return notePath(noted, { danger: 'overwrites', verb: effect.verb, path: pathIn(noted) });
    case 'open':
      return noteOpen(noted);
    case 'shell':
      noteOutliving(noted);
      if (texts.length === 0) note('runs', 'runs a command that it works out while it runs');
      return runTexts(texts, noted);
    case 'program':
      noteOutliving(noted);
      return texts.length === 0 ? note('runs', 'starts another program') : runWords(texts, noted);
    case 'evaluate':
      return note('runs', 'runs a text or a module that it works out while it runs');
    case 'decode':
      return noteDecoded(texts, noted);
    case 'address':
      return noteAddress(effect, noted);
    case 'request':
      return METHOD.test(texts.join('\n')) ? noteAddress({ danger: 'sends', verb: 'sends data to' }, noted) : undefined;
    case 'lookup':
      return noteLookup(texts[0] ?? '', noted);
  }
}

function noteDanger({ danger, verb, needsObject }: Effect & { kind: 'danger' }, { texts, note, name }: Noted) {
  const objects = listed(texts.slice(0, 4));
  if (needsObject && objects === '') return;
  const isWhole = verb.includes(' ') && !needsObject && !verb.endsWith(' of');
  note(danger, isWhole ? `${verb} (${name})` : `${verb} ${objects || 'files'}`);
}

function noteOpen(noted: Noted) {
  const { texts } = noted;
  const mode = texts.slice(1).find((text) => MODE.test(text)) ?? 'r';
  const path = pathIn({ ...noted, texts: texts.filter((text, at) => at === 0 || !MODE.test(text)) });
  const isWriting = WRITING_MODE.test(mode);
  const verb = mode.startsWith('a') || mode === '>>' ? 'adds to' : 'overwrites';
  notePath(noted, isWriting ? { danger: 'overwrites', verb, path } : { danger: 'reads', verb: 'reads', path });
}

const WRITING_MODE = /^(?:[wax]b?\+?t?|r\+b?|rb\+|>>?)$/u;
const MODE = /^(?:[rwax]b?\+?t?b?|r\+b?|rb\+|[<>]|>>)$/u;

/** A path in pieces: as many of the first texts as name a secret or a lasting place together, or the first text. */
function pathIn({ texts, looks }: Pick<Noted, 'texts' | 'looks'>): string | undefined {
  for (let count = Math.min(texts.length, 6); count > 1; count -= 1) {
    const path = texts.slice(0, count).join('/').slice(0, 1_000);
    if (!path.includes('\n') && (looks.secret(path) ?? looks.lastingEffect(path)) !== undefined) return path;
  }
  return texts[0];
}

const METHOD = /^(?:POST|PUT|PATCH|DELETE)$/mu;
/** Options by which calls send data. */
const BODIES: readonly string[] = ['data', 'json', 'files', 'body', 'multipart'];

function noteAddress({ danger, verb }: { danger: Danger; verb: string }, { texts, names, note, name }: Noted) {
  const [address = ''] = texts;
  const host = listed(texts.slice(0, 1).map(hostOf)) || `another computer (${name})`;
  const hasBody = METHOD.test(texts.join('\n')) || BODIES.some((option) => names.has(option));
  if (hasBody) note('sends', `sends data to ${host}`);
  else if (/^\w+:\/\/[^/?]+[/?](?:.*\{|.*=$)/u.test(address)) note('sends', `sends data in an address of ${host}`);
  else if (texts.length > 1 && danger === 'sends') note(danger, `${verb} ${host} (${name}: ${listed(texts.slice(1))})`);
  else if (texts.length > 1) note(danger, `${verb} ${host}, and uses ${listed(texts.slice(1))}`);
  else note(danger, `${verb} ${host}`);
}

/** Data can leave in the name that is looked up. */
function noteLookup(host: string, { note }: Noted) {
  if (/^(?:[^\s/]*\{[^}\s]*\})?\.[\w-]+\.[\w.-]+$/u.test(host))
    note('sends', `sends data in the network name ${shortened(host)}`);
}

/** Options by which a program goes on after the script that started it. */
const DETACHED: readonly string[] = ['start_new_session', 'detached', 'os.setsid', 'os.setpgrp', 'process_group'];

function noteOutliving({ names, texts, note, name }: Noted) {
  if (!DETACHED.some((option) => names.has(option))) return;
  note('persists', `starts a program that goes on after the script (${name}: ${listed([texts.join(' ')])})`);
}

function notePath(
  { note, looks }: Noted,
  { danger, verb, path }: { danger: Danger; verb: string; path: string | undefined },
) {
  if (path === undefined) return note(danger, `${verb} a file whose name it works out while it runs`);
  const effect = danger === 'reads' ? undefined : looks.lastingEffect(path);
  const secret = looks.secret(path);
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
function noteString(
  { text, line }: Pick<Token, 'text' | 'line'>,
  { notebook, looks }: Pick<Context, 'notebook' | 'looks'>,
): void {
  if (text.length < 300 && /[./]/u.test(text) && !/[\n]/u.test(text)) {
    const secret = looks.secret(text);
    const effect = secret === undefined && /[/~]/u.test(text) ? looks.lastingEffect(text) : undefined;
    if (secret !== undefined) notebook.note('credentials', `uses ${shortened(text)} (${secret})`, line);
    if (effect !== undefined) notebook.note('persists', `names ${shortened(text)}, ${effect}`, line);
  }
  if (/drop|truncate|delete|update|flush|outfile/iu.test(text))
    noteStatements({ note: (danger, words) => notebook.note(danger, words, line) }, text);
}
