import { Writable } from 'node:stream';
import { shownText } from '../reach/reach.ts';

/** A prompt that waits, as far as its line says it. */
type Waiting = { id: string; userId: string; sentence: string; level: string };

type Options = {
  /** The person's side of the daemon. */
  person: {
    view(): { prompts: readonly Waiting[] };
    onChange(listener: () => void, everyMs?: number): () => void;
    callTaken(id: string): void;
  };
  /** Where the person answers. */
  address: string;
  print(line: string): void;
  nowMs(): number;
};

const LOOK_EVERY_MS = 500;
/** So that a flood of requests does not push everything else out of the terminal. */
const LINES_A_MINUTE = 10;

/**
 * Prints one line for each prompt that comes, and one that more wait where too many come in a minute. To be used only where the person
 * reads along: a stored output must not hold what requesters name. Returns a function that ends it.
 */
export function printPrompts({ person, address, print, nowMs }: Options): () => void {
  let known = new Set<string>();
  let printedAtMs: number[] = [];

  /** Prints a line if there is room for it. */
  function printed(line: string): boolean {
    printedAtMs = printedAtMs.filter((atMs) => nowMs() - atMs < 60_000);
    if (printedAtMs.length > LINES_A_MINUTE) return false;
    const isLast = printedAtMs.length === LINES_A_MINUTE;
    printedAtMs.push(nowMs());
    print(isLast ? `request   more requests wait; answer at ${address}\n` : line);
    return !isLast;
  }

  function look(): void {
    const { prompts } = person.view();
    for (const prompt of prompts) {
      if (known.has(prompt.id)) continue;
      if (!printed(lineOf(prompt, address))) break;
      person.callTaken(prompt.id);
    }
    known = new Set(prompts.map(({ id }) => id));
  }

  look();
  return person.onChange(look, LOOK_EVERY_MS);
}

/** The words of the requester come last, so that none of them can pass for ours. */
function lineOf({ userId, sentence, level }: Waiting, address: string): string {
  return `request   ${level} risk, from "${shownText(userId)}", answer at ${address} : ${shownText(sentence)}\n`;
}

const LEVELS: Readonly<Record<number, readonly [word: string, colour: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 36],
  40: ['warning', 33],
  50: ['error', 31],
  60: ['fatal', 31],
};
/** Members of every line that tell a person at the terminal nothing. */
const LEFT_OUT = ['level', 'time', 'msg', 'pid', 'hostname', 'reqId'];

/** Takes the daemon's log of JSON lines and writes each as a line for a person. */
export function readableLog(write: (text: string) => void, { isColoured }: { isColoured: boolean }): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      for (const line of String(chunk).split('\n')) if (line !== '') write(`${readableLine(line, { isColoured })}\n`);
      done();
    },
  });
}

/** A line of JSON as `14:07:02 warning  message  name=value`. Control characters of its values are escaped, as JSON escapes them. */
export function readableLine(line: string, { isColoured }: { isColoured: boolean }): string {
  const { level, time, msg, ...facts } = JSON.parse(line);
  const [word, colour] = LEVELS[level] ?? ['info', 36];
  const style = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const shown = Object.entries(facts).filter(([name]) => !LEFT_OUT.includes(name));
  return [
    style(90, new Date(time).toLocaleTimeString('en-GB')),
    style(colour, String(word).padEnd(7)),
    escaped(String(msg ?? '')),
    ...shown.map(([name, value]) => style(90, `${name}=${factOf(value)}`)),
  ].join('  ');
}

/** An error is shown as its message: the stack is for the log of JSON lines. */
function factOf(value: unknown): string {
  const isError = typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
  const told = isError ? value.message : value;
  return escaped(typeof told === 'string' ? told : JSON.stringify(told));
}

function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
