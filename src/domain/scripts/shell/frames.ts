import { type Command, createCommand, type Pipeline, type Variables, type Word } from './words.ts';

/** Commands end at their closer; a quote and a parameter belong to the word that is being read. */
type Commands = {
  closer: ')' | '`' | undefined;
  pipeline: Pipeline;
  command: Command;
  word: Word | undefined;
  /** The operator of a redirection whose target is the next word. */
  redirect: string | undefined;
  brackets: number;
  loops: number;
  cases: number;
};

type FrameKind = 'commands' | 'quote' | 'parameter';

/** Beyond this depth, brackets and quotes count as separators. No script that a person could check goes that deep. */
const DEEPEST = 400;

const ASSIGNING = /^(?:export|local|declare|typeset|readonly|-\w+|[A-Za-z_]\w*\+?=[\s\S]*)$/u;

const STARTERS = new Set('if then else elif do while until ! { } time coproc fi done esac'.split(' '));

/** The state of the scanner: the open commands and quotes, and the word and the command that it reads now. */
export type Frames = {
  line: number;
  /** Kinds of the open frames, the innermost last. */
  stack: FrameKind[];
  /** The commands around the current ones. */
  outer: Commands[];
  current: Commands;
  variables: Variables;
  onPipeline(pipeline: Pipeline): void;
};

export function createFrames(given: Pick<Frames, 'line' | 'variables' | 'onPipeline'>): Frames {
  const current = createCommands({ closer: undefined, loops: 0, line: given.line });
  return { ...given, stack: [], outer: [], current };
}

function createCommands({ closer, loops, line }: Pick<Commands, 'closer' | 'loops'> & { line: number }): Commands {
  return {
    closer,
    pipeline: [],
    command: createCommand(line),
    word: undefined,
    redirect: undefined,
    brackets: 0,
    loops,
    cases: 0,
  };
}

export function kindOf({ stack }: Frames): FrameKind {
  return stack.at(-1) ?? 'commands';
}

/** Adds text to the word that is being read, or begins one. */
export function addText(frames: Frames, text: string, { isEscaped = false, isComputed = false } = {}) {
  const { current } = frames;
  current.word ??= { text: '', isPlain: !isEscaped && kindOf(frames) === 'commands', isComputed: false };
  current.word.text += text;
  if (isComputed) current.word.isComputed = true;
}

export function addVariable(frames: Frames, name: string) {
  const value = frames.variables.get(name);
  if (value === undefined) return addText(frames, `$${name}`, { isComputed: true });
  if (kindOf(frames) !== 'commands') return addText(frames, value);
  const [first = '', ...rest] = value.split(/\s+/u);
  addText(frames, first);
  for (const part of rest) {
    endWord(frames);
    if (part !== '') addText(frames, part);
  }
}

export function endWord(frames: Frames) {
  const { current } = frames;
  const { word, redirect, command } = current;
  current.word = undefined;
  if (word === undefined) return;
  current.redirect = undefined;
  if (redirect === '<<<') command.input += `${word.text}\n`;
  else if (redirect !== undefined) command.redirects.push({ operator: redirect, target: word });
  else addWord(frames, word);
}

function addWord({ current, line, variables }: Frames, word: Word) {
  const { command } = current;
  const isFirst = command.words.length === 0;
  if (isFirst) command.line = line;
  if (isFirst && word.isPlain && isKeyword(current, word.text)) return;
  for (const each of isFirst ? expanded(word) : [word]) command.words.push(each);
  noteAssignment(command, variables);
}

/** `{rm,-rf,a}` stands for three words. */
function expanded(word: Word): Word[] {
  const list = word.isPlain && word.text.startsWith('{') ? /^\{([^{}]*,[^{}]*)\}$/u.exec(word.text)?.[1] : undefined;
  return list === undefined ? [word] : list.split(',').map((text) => ({ ...word, text }));
}

/** `A=1 B=2 rm`: the words before the name of the command assign, and so do the words after `export`. */
function noteAssignment({ words }: Command, variables: Variables) {
  const { text = '', isComputed = true } = words.at(-1) ?? {};
  const assigned = isComputed || words.length > 20 ? null : /^([A-Za-z_]\w*)\+?=/u.exec(text);
  if (assigned?.[1] === undefined || !words.slice(0, -1).every((word) => ASSIGNING.test(word.text))) return;
  variables.set(assigned[1], text.slice(assigned[0].length));
}

function isKeyword(current: Commands, text: string): boolean {
  if (text === 'do') current.loops += 1;
  if (text === 'done') current.loops = Math.max(0, current.loops - 1);
  if (text === 'case') current.cases += 1;
  if (text === 'esac') current.cases = Math.max(0, current.cases - 1);
  return STARTERS.has(text);
}

function endCommand(frames: Frames, isInBackground: boolean) {
  endWord(frames);
  const { current, line, variables } = frames;
  const { command, loops } = current;
  current.redirect = undefined;
  if (command.words.length === 0 && command.redirects.length === 0 && command.input === '') return;
  current.command = createCommand(line);
  if (setLoopVariable(command, variables)) return;
  current.pipeline.push(Object.assign(command, { isInLoop: loops > 0, isInBackground }));
}

/** `for NAME in a b`: the variable stands for all of the words. */
function setLoopVariable({ words }: Command, variables: Variables): boolean {
  const [first, name, ...rest] = words;
  if (first?.text !== 'for' && first?.text !== 'select') return false;
  const values = rest.slice(1).filter(({ isComputed }) => !isComputed);
  if (name !== undefined && values.length > 0) variables.set(name.text, values.map(({ text }) => text).join(' '));
  return true;
}

/** Ends the command, and the pipeline as well unless a pipe goes on. */
export function separate(frames: Frames, operator = ';') {
  endCommand(frames, operator === '&');
  if (operator === '|' || operator === '|&') return;
  const { pipeline } = frames.current;
  frames.current.pipeline = [];
  if (pipeline.length > 0) frames.onPipeline(pipeline);
}

export function openText(frames: Frames, kind: 'quote' | 'parameter') {
  if (frames.stack.length >= DEEPEST) return;
  addText(frames, '');
  frames.stack.push(kind);
}

export function openCommands(frames: Frames, closer: Commands['closer']) {
  if (frames.stack.length >= DEEPEST) return separate(frames);
  addText(frames, '$(…)', { isComputed: true });
  frames.outer.push(frames.current);
  frames.current = createCommands({ closer, loops: frames.current.loops, line: frames.line });
  frames.stack.push('commands');
}

export function pop(frames: Frames) {
  if (frames.stack.pop() !== 'commands') return;
  separate(frames);
  frames.current = frames.outer.pop() ?? frames.current;
}

/** Closes everything down to the commands that are being read, and then these. */
function close(frames: Frames) {
  while (frames.stack.length > 0 && kindOf(frames) !== 'commands') frames.stack.pop();
  pop(frames);
}

/** A backquote ends the commands that one began, and begins others elsewhere. */
export function tick(frames: Frames) {
  if (frames.current.closer === '`') close(frames);
  else openCommands(frames, '`');
}

export function openBracket(frames: Frames) {
  separate(frames);
  frames.current.brackets += 1;
}

export function closeBracket(frames: Frames) {
  const { current } = frames;
  if (current.closer === ')' && current.brackets === 0 && current.cases === 0) return close(frames);
  if (current.brackets > 0) current.brackets -= 1;
  separate(frames);
}

export function redirectTo(frames: Frames, operator: string) {
  const { current } = frames;
  // `2>file`: the digit names the stream, and is no word.
  if (current.word?.isPlain === true && /^\d$/u.test(current.word.text)) current.word = undefined;
  endWord(frames);
  current.redirect = operator;
}

/** Ends all open commands at the end of the script. */
export function endAll(frames: Frames) {
  while (frames.stack.length > 0) pop(frames);
  separate(frames);
}
