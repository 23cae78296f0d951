import { hash } from 'node:crypto';
import { lastingEffectAt } from '../../contract/lasting-places.ts';
import type { Interpreter, RunScriptParameters } from '../../contract/scripts.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import { analyseCode } from './code/analyse.ts';
import { analyseAppleScript } from './code/apple-script.ts';
import { DANGERS, type Danger, type Finding, type Notebook, shortened } from './finding.ts';
import { analyseShell, type CodeAnalysis } from './shell/analyse.ts';

/** The dangers that were noticed, the gravest first. There can be others: a program can hide its effects from every analysis. */
export type Noticed = {
  findings: readonly Noted[];
  /** Some findings were left out, or a part of the script was not read. */
  isCut: boolean;
};

/** A finding, and all lines, or the first variable, in which it was made. */
export type Noted = { danger: Danger; words: string; lines: number[]; variable?: string };

/** Longer scripts are read up to here. The parameters of a script hold at most 60,000 characters. */
const MOST_CHARACTERS = 65_536;
/** Scripts within scripts are read too, and this often at most. */
const BUDGET = 3 * MOST_CHARACTERS;
const MOST_FINDINGS = 400;
const MOST_LINES = 20;

/** A prompt that waits is assessed again each time that it is shown. */
const MOST_REMEMBERED = 64;
const remembered = new Map<string, Noticed>();

type Run = Pick<RunScriptParameters, 'interpreter' | 'script' | 'env'>;

/** The same as `noticeDangers`, which it asks only once for each of the latest scripts. */
export function dangersNoticed({ interpreter, script, env = {} }: Run): Noticed {
  const key = `${interpreter} ${hash('sha256', script)} ${hash('sha256', JSON.stringify(env))}`; // guard E2-1
  const noticed = remembered.get(key) ?? noticeDangers({ interpreter, script, env });
  remembered.delete(key);
  remembered.set(key, noticed);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return noticed;
}

/**
 * Reads a script and notes what it deletes, reads, sends, installs and the like. The time grows with the length of the script and
 * is bounded. It never throws.
 */
export function noticeDangers({ interpreter, script, env = {} }: Run): Noticed {
  const read = script.slice(0, MOST_CHARACTERS);
  const { notebook, notebookOf, findings, isFull } = createNotebook(read.split('\n').length);
  for (const [name, value] of Object.entries(env)) noteEarlierCode({ name, value }, notebookOf(name));
  const { shell, code } = readersFor(notebook);
  switch (interpreter) {
    case 'sh':
    case 'bash':
    case 'zsh':
      analyseShell(read, { notebook, code });
      break;
    case 'python':
      analyseCode(read, { notebook, shell, comments: 'hash' });
      break;
    case 'node':
    case 'javascript':
      analyseCode(read, { notebook, shell, comments: 'slashes' });
      break;
    case 'applescript':
      analyseAppleScript(read, { notebook, shell });
  }
  return { findings: inOrder(findings()), isCut: isFull() || read.length < script.length };
}

type ReadShell = (text: string, at: { line: number; depth: number }) => void;

/** A script may hold scripts in other languages. */
function readersFor(notebook: Notebook): { shell: ReadShell; code: CodeAnalysis } {
  const shell: ReadShell = (text, at) => analyseShell(text, { ...at, notebook, code });
  const code: CodeAnalysis = (text, { language, line, depth }) => {
    if (language.startsWith('osascript')) analyseAppleScript(text, { notebook, shell, line, depth });
    else
      analyseCode(text, {
        notebook,
        shell,
        line,
        depth,
        comments: /^(?:node|deno|bun|tsx|php)/u.test(language) ? 'slashes' : 'hash',
      });
  };
  return { shell, code };
}

/** Variables that name code which runs before the first line of a script, or before each. A shell also runs the commands in the first three. */
const EARLIER_CODE =
  /^(?:BASH_ENV|ENV|PS4|(?:LD|DYLD)_\w+|GCONV_PATH|OPENSSL_(?:CONF|ENGINES|MODULES)|PYTHON(?:PATH|HOME|USERBASE|PLATLIBDIR|PYCACHEPREFIX|WARNINGS)|NODE_OPTIONS)$/u;
/** Node takes quotation marks in them, and `_` for `-`, so the options that load no code are named. */
const HARMLESS_OPTIONS =
  /^\s*(?:--(?:max-(?:old|semi)-space-size|stack-trace-limit|unhandled-rejections)=\w+(?:\s+|$)|--(?:no-)?(?:warnings|deprecation|trace-warnings|enable-source-maps)(?:\s+|$))*$/u;

type Variable = { name: string; value: string };

function noteEarlierCode({ name, value }: Variable, notebook: Notebook): void {
  if (!EARLIER_CODE.test(name) || (name === 'NODE_OPTIONS' && HARMLESS_OPTIONS.test(value))) return; // guard X24-1
  notebook.note('runs', `runs what ${name} names before its text, ${shortened(value)}`, 1);
  readersFor(notebook).shell(`: "${value.replaceAll('"', String.raw`\"`)}"`, { line: 1, depth: 1 });
}

/** A text that is made while the script runs has lines of its own, so a line after the last one of the script is its last one. */
function createNotebook(lastLine: number) {
  const noted: Finding[] = [];
  let left = BUDGET;
  let isCut = false;
  function add(finding: Finding): void {
    if (noted.length >= MOST_FINDINGS) isCut = true;
    else noted.push(finding);
  }
  const notebook: Notebook = {
    note: (danger, words, line) => add({ danger, words, line: Math.min(line, lastLine) }),
    spend(characters) {
      left -= characters;
      if (left < 0) isCut = true;
      return left >= 0;
    },
  };
  const notebookOf = (variable: string): Notebook => ({
    ...notebook,
    note: (danger, words) => add({ danger, words, variable }),
  });
  return { notebook, notebookOf, findings: () => noted, isFull: () => isCut };
}

function inOrder(findings: readonly Finding[]): Noted[] {
  const merged = new Map<string, Noted>();
  for (const finding of findings) {
    const { danger, words } = finding;
    const key = `${danger} ${words}`;
    const known = merged.get(key) ?? { danger, words, lines: [] };
    merged.set(key, known);
    if ('variable' in finding) {
      known.variable ??= finding.variable; // guard X24-2
      continue;
    }
    const { line } = finding;
    if (!known.lines.includes(line) && known.lines.length < MOST_LINES) known.lines.push(line);
  }
  const objects = new Set(
    [...merged.values()].filter(({ words }) => !isMention(words)).map(({ words }) => objectOf(words)),
  );
  const told = [...merged.values()].filter(({ words }) => !isMention(words) || !objects.has(objectOf(words)));
  return eachKindInTurn(told.sort((one, other) => rankOf(one) - rankOf(other) || reachOf(one) - reachOf(other)));
}

/** First one of each kind: many harmless ones of one kind must not come before the only one of another, which a person then misses. */
function eachKindInTurn(noted: readonly Noted[]): Noted[] {
  const turns = new Map<Danger, number>();
  const inTurn = noted.map((one) => {
    const turn = turns.get(one.danger) ?? 0;
    turns.set(one.danger, turn + 1);
    return { one, turn };
  });
  return inTurn.sort((one, other) => one.turn - other.turn).map(({ one }) => one);
}

/** A place outside of the script's own folder, or one that is not known, comes first. */
function reachOf({ words }: Noted): number {
  return /[\s"'][~/$*]|\.\.|everything/u.test(words) ? 0 : 1;
}

/** "uses ~/.netrc" adds nothing to "reads ~/.netrc". */
function isMention(words: string): boolean {
  return words.startsWith('uses ') || words.startsWith('names ');
}

function objectOf(words: string): string {
  return words.slice(words.indexOf(' '));
}

/** A deletion of one named place below a folder weighs less than a key that is read or sent. One of a whole folder of the home weighs more. */
function rankOf(noted: Noted): number {
  const isBounded = noted.danger === 'deletes' && (reachOf(noted) === 1 || BELOW_A_FOLDER.test(noted.words));
  return DANGERS.indexOf(isBounded ? 'overwrites' : noted.danger) - (isBounded ? 0.5 : 0);
}

const BELOW_A_FOLDER = /^deletes ~\/[^\s/*?$,]+\/[^\s*?$,]+$/u;

const NOTHING: Noticed = { findings: [], isCut: false };

/** The language of a script in words, as sentences name it. */
export const LANGUAGES: Readonly<Record<Interpreter, string>> = {
  sh: 'shell',
  bash: 'bash',
  zsh: 'zsh',
  python: 'Python',
  node: 'JavaScript (Node)',
  applescript: 'AppleScript',
  javascript: 'JXA',
};

/** A file that is a script at its path, and the dangers in it. Other files have no language and no dangers. */
export function scriptWritten(path: string, content: string): { language?: string; noticed: Noticed } {
  const interpreter = interpreterFor(path, content);
  if (interpreter === undefined) return { noticed: NOTHING };
  return { language: LANGUAGES[interpreter], noticed: dangersNoticed({ interpreter, script: content }) };
}

const BY_ENDING: readonly [RegExp, Interpreter][] = [
  [/\.(?:sh|bash|zsh|command|ksh|csh|tcsh|dash|fish|tool|mk)$|^(?:gnu)?makefile$|^justfile$/u, 'sh'],
  // Their calls are written as those of Python.
  [/\.(?:pyw?|rb|pl|php|lua)$/u, 'python'],
  [/\.[cm]?[jt]sx?$/u, 'node'],
  [/\.(?:applescript|scpt)$/u, 'applescript'],
];

const BY_FIRST_LINE: readonly [RegExp, Interpreter][] = [
  [/^#!.*(?:sh)(?:\s|$)/u, 'sh'],
  [/^#!.*(?:python|ruby|perl|php|lua)/u, 'python'],
  [/^#!.*(?:node|deno|bun)/u, 'node'],
  [/^#!.*osascript/u, 'applescript'],
];

/** By the first line or the ending of the name. Settings of a shell are scripts of it. */
function interpreterFor(path: string, content: string): Interpreter | undefined {
  const firstLine = content.slice(0, 200).split('\n', 1)[0] ?? '';
  const name = comparablePath(path.slice(path.lastIndexOf('/') + 1)); // guard E2-4
  const named = BY_FIRST_LINE.find(([line]) => line.test(firstLine)) ?? BY_ENDING.find(([ending]) => ending.test(name));
  if (named !== undefined) return named[1];
  // A first line in an unknown language is read as shell, so that nothing in it is missed.
  const isShell = firstLine.startsWith('#!') || lastingEffectAt(path)?.includes('a shell') === true;
  return isShell ? 'sh' : undefined;
}
