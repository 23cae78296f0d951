import { Writable } from 'node:stream';

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
