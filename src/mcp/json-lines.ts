import { StringDecoder } from 'node:string_decoder';

/** The daemon takes no larger body. A client that sends no end of a line must not fill the memory. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

type Line = { ok: true; message: unknown } | { ok: false; because: string };

/** The lines of a stream, each as the JSON that it holds. A line that is too long, or is no JSON, is passed over with the reason. */
export async function* jsonLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line, void> {
  const decoder = new StringDecoder('utf8');
  let kept = '';
  let isTooLong = false;
  for await (const piece of input) {
    const lines = (kept + (typeof piece === 'string' ? piece : decoder.write(Buffer.from(piece)))).split('\n');
    kept = lines.pop() ?? '';
    for (const line of lines) {
      if (isTooLong || line.length > MOST_CHARACTERS) yield { ok: false, because: TOO_LONG };
      else if (line.trim() !== '') yield parsed(line);
      isTooLong = false;
    }
    if (kept.length > MOST_CHARACTERS) {
      isTooLong = true;
      kept = '';
    }
  }
}

const TOO_LONG = 'A message may have 4 MiB; this one has more.';

function parsed(line: string): Line {
  try {
    return { ok: true, message: JSON.parse(line) };
  } catch {
    return { ok: false, because: 'A line should be one JSON message.' };
  }
}
