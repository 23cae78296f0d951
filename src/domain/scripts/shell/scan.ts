import type { Notebook } from '../finding.ts';
import {
  addText,
  addVariable,
  closeBracket,
  createFrames,
  endAll,
  endWord,
  type Frames,
  kindOf,
  openBracket,
  openCommands,
  openText,
  pop,
  redirectTo,
  separate,
  tick,
} from './frames.ts';
import { type Command, decodeEscapes, type Pipeline, type Variables } from './words.ts';

type Options = {
  line: number;
  variables: Variables;
  notebook: Pick<Notebook, 'spend'>;
  /** Takes each pipeline when all of its input has been read. False ends the scan. */
  take(pipeline: Pipeline): boolean;
};

type Expected = { command: Command; word: string; isIndented: boolean };
/** `lines`: how many line ends the text and its last line have; the script can end without one. */
type Found = { command: Command; text: string; isQuoted: boolean; lines: number };

type HereDocuments = ReturnType<typeof createHereDocuments>;

/** The here-documents that a line announces with `<<WORD`, whose texts begin on the next line. */
function createHereDocuments() {
  let expected: Expected[] = [];
  return {
    isEmpty: () => expected.length === 0,
    expect: (one: Expected): void => void expected.push(one),
    /** The texts from a place on, one after the other. One without its end takes the rest of the script. */
    read(source: string, from: number): { end: number; found: Found[] } {
      let end = from;
      const found = expected.map(({ command, word, isIndented }): Found => {
        const delimiter = word.replace(/['"\\]/gu, '');
        const body = readBody(source, { from: end, delimiter, isIndented });
        end = body.end;
        return { command, text: body.text, isQuoted: delimiter !== word, lines: body.lines };
      });
      expected = [];
      return { end, found };
    },
  };
}

function readBody(
  source: string,
  { from, delimiter, isIndented }: { from: number; delimiter: string; isIndented: boolean },
) {
  let at = from;
  let lines = 0;
  while (at < source.length) {
    const found = source.indexOf('\n', at);
    const end = found < 0 ? source.length : found;
    if (found >= 0) lines += 1;
    const isEnd = isIndented ? isEndAfterTabs(source, at, end, delimiter) : isEndAt(source, at, end, delimiter);
    if (isEnd) return { text: source.slice(from, at), end: Math.min(end + 1, source.length), lines };
    at = end + 1;
  }
  return { text: source.slice(from), end: source.length, lines };
}

function isEndAt(source: string, from: number, to: number, delimiter: string): boolean {
  return to - from === delimiter.length && source.startsWith(delimiter, from);
}

function isEndAfterTabs(source: string, from: number, to: number, delimiter: string): boolean {
  let start = from;
  while (source[start] === '\t') start += 1;
  return isEndAt(source, start, to, delimiter);
}

type Scan = Options & { source: string; frames: Frames; heres: HereDocuments; pipelines: Pipeline[] };

/**
 * Reads a shell script from its first to its last character, once, and hands on its commands: inner ones, such as `$(…)`, before
 * the outer ones. It needs no correct syntax, because an error in the syntax must not hide a command. So it finds each command
 * wherever it stands: in functions, branches, substitutions and double quotes.
 */
export function scanShell(source: string, options: Options): void {
  if (!options.notebook.spend(source.length)) return;
  const pipelines: Pipeline[] = [];
  const frames = createFrames({ ...options, onPipeline: (pipeline) => void pipelines.push(pipeline) });
  const scan: Scan = { ...options, source, frames, heres: createHereDocuments(), pipelines };
  let at = 0;
  while (at < source.length) {
    at = step(scan, at);
    if (scan.heres.isEmpty() && !isTaken(scan)) return;
  }
  endAll(frames);
  isTaken(scan);
}

function isTaken({ pipelines, take }: Scan): boolean {
  return pipelines.length === 0 || pipelines.splice(0).every(take);
}

/** Reads one piece from a place on, and returns the place behind it, as all functions below do. */
function step(scan: Scan, from: number): number {
  const character = scan.source[from] ?? '';
  if (character === '\n') return newLine(scan, from);
  if (character === '\\') return escaped(scan, from);
  if (character === '$') return dollar(scan, from);
  if (character === '`') {
    tick(scan.frames);
    return from + 1;
  }
  const kind = kindOf(scan.frames);
  if (kind === 'quote') return quoted(scan, from, character);
  return kind === 'parameter' ? parameter(scan, from, character) : plain(scan, from, character);
}

function newLine({ source, frames, heres, ...scan }: Scan, from: number): number {
  frames.line += 1;
  if (kindOf(frames) !== 'commands') {
    addText(frames, '\n');
    return from + 1;
  }
  endWord(frames);
  const end = heres.isEmpty() ? from + 1 : bodies({ source, frames, heres, ...scan }, from + 1);
  separate(frames);
  return end;
}

/** The texts of the here-documents of the line that has just ended. Their substitutions run as well. */
function bodies({ source, frames, heres, pipelines, ...options }: Scan, from: number): number {
  const { end, found } = heres.read(source, from);
  for (const { command, text, isQuoted, lines } of found) {
    command.input += text;
    if (!isQuoted && /[`$]/u.test(text))
      scanShell(`: "${text.replaceAll('"', '')}"`, {
        ...options,
        line: frames.line,
        take: (one) => pipelines.push(one) > 0,
      });
    frames.line += lines;
  }
  return end;
}

function escaped({ source, frames }: Scan, from: number): number {
  const next = source[from + 1];
  if (next === '\n') frames.line += 1;
  else if (next !== undefined) {
    const isKept = kindOf(frames) === 'quote' && !'$`"\\'.includes(next);
    addText(frames, isKept ? `\\${next}` : next, { isEscaped: true });
  }
  return from + 2;
}

function quoted(scan: Scan, from: number, character: string): number {
  if (character !== '"') return run(scan, from, /[^"\\`$\n]+/uy);
  pop(scan.frames);
  return from + 1;
}

function parameter(scan: Scan, from: number, character: string): number {
  if (character === "'") return singleQuoted(scan, from);
  if (character !== '}' && character !== '"') return run(scan, from, /[^}"'\\`$\n]+/uy);
  if (character === '}') pop(scan.frames);
  else openText(scan.frames, 'quote');
  return from + 1;
}

function run({ source, frames }: Scan, from: number, pattern: RegExp): number {
  const text = matchAt(source, pattern, from) ?? source[from] ?? '';
  addText(frames, text);
  return from + text.length;
}

function matchAt(source: string, pattern: RegExp, from: number): string | undefined {
  pattern.lastIndex = from;
  return pattern.exec(source)?.[0];
}

function singleQuoted(scan: Scan, from: number): number {
  const found = scan.source.indexOf("'", from + 1);
  const end = found < 0 ? scan.source.length : found;
  return wholeQuote(scan, { from, end: end + 1, text: scan.source.slice(from + 1, end) });
}

function wholeQuote(
  { source, frames }: Scan,
  { from, end, text }: { from: number; end: number; text: string },
): number {
  addText(frames, text, { isEscaped: true });
  frames.line += source.slice(from, end).split('\n').length - 1;
  return end;
}

function dollar(scan: Scan, from: number): number {
  const { source, frames } = scan;
  const next = source[from + 1] ?? '';
  if (next === '(') return substitution(scan, from);
  if (next === '{') return bracedVariable(scan, from);
  const isText = kindOf(frames) === 'quote';
  if (next === "'" && !isText) return ansiQuoted(scan, from + 2);
  if (next === '"' && !isText) return from + 1;
  const name = matchAt(source, /(?:[A-Za-z_]\w*|[0-9@*#?$!-])/uy, from + 1);
  if (name === undefined) addText(frames, '$');
  else addVariable(frames, name);
  return from + 1 + (name?.length ?? 0);
}

function substitution({ source, frames }: Scan, from: number): number {
  const arithmetic = arithmeticEnd(source, from + 1);
  if (arithmetic === undefined) openCommands(frames, ')');
  else addText(frames, '0', { isComputed: true });
  return arithmetic ?? from + 2;
}

/** `${name}` is the variable. In `${name:-text}` the text counts, because it may hold commands and the value of choice. */
function bracedVariable({ source, frames }: Scan, from: number): number {
  const name = matchAt(source, /[A-Za-z_]\w*|[0-9@*]/uy, from + 2) ?? '';
  const after = from + 2 + name.length;
  if (source[after] === '}') {
    addVariable(frames, name);
    return after + 1;
  }
  openText(frames, 'parameter');
  const operator = matchAt(source, /:?[-=+?]/uy, after);
  if (operator === undefined) addVariable(frames, name);
  return after + (operator?.length ?? 0);
}

function ansiQuoted(scan: Scan, from: number): number {
  const text = matchAt(scan.source, /(?:[^'\\]|\\[\s\S])*/uy, from) ?? '';
  return wholeQuote(scan, { from, end: from + text.length + 1, text: decodeEscapes(text) });
}

/** The end of `((…))` from its first bracket, if it holds numbers and no commands. */
function arithmeticEnd(source: string, from: number): number | undefined {
  const text = matchAt(source, /\(\((?:[^;'"`\n$()]|\$\w|\([^()$`]{0,80}\)){0,200}\)\)/uy, from);
  return text === undefined ? undefined : from + text.length;
}

function plain(scan: Scan, from: number, character: string): number {
  const { source, frames } = scan;
  switch (character) {
    case "'":
      return singleQuoted(scan, from);
    case '"':
      openText(frames, 'quote');
      return from + 1;
    case ' ':
    case '\t':
    case '\r':
      endWord(frames);
      return from + 1;
    case '(':
      return opening(scan, from);
    case ')':
      closeBracket(frames);
      return from + 1;
    case '#':
      return frames.current.word === undefined ? endOfLine(source, from) : run(scan, from, /#/uy);
    case '<':
    case '>':
      return redirect(scan, from);
    case ';':
    case '|':
    case '&':
      return source[from + 1] === '>' && character === '&' ? redirect(scan, from) : operator(scan, from);
    default:
      return run(scan, from, /[^\s\\`$'"()<>;|&]+/uy);
  }
}

function opening({ source, frames }: Scan, from: number): number {
  const arithmetic = frames.current.word === undefined ? arithmeticEnd(source, from) : undefined;
  if (arithmetic === undefined) openBracket(frames);
  else addText(frames, '((', { isEscaped: true });
  return arithmetic ?? from + 1;
}

function operator({ source, frames }: Scan, from: number): number {
  const text = matchAt(source, /&&|\|\||\|&|;;&?|;&|[;|&]/uy, from) ?? ';';
  separate(frames, text);
  return from + text.length;
}

function redirect(scan: Scan, from: number): number {
  const { source, frames } = scan;
  if (source[from] !== '&' && source[from + 1] === '(') {
    openCommands(frames, ')');
    return from + 2;
  }
  const text = matchAt(source, /<<<|<<-?|<>|<&|&>>?|>>|>&|>\||[<>]/uy, from) ?? '>';
  if (text === '<<' || text === '<<-') return hereDocument(scan, from + text.length, text);
  redirectTo(frames, text);
  return from + text.length;
}

function hereDocument({ source, frames, heres }: Scan, from: number, operator: string): number {
  const text = matchAt(source, /[ \t]*(?:'[^'\n]*'|"[^"\n]*"|[^\s;&|<>()]+)/uy, from);
  endWord(frames);
  if (text === undefined) return from;
  heres.expect({ command: frames.current.command, word: text.trim(), isIndented: operator === '<<-' });
  return from + text.length;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}
