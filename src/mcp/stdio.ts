import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { readEvents } from '../client/event-stream.ts';
import { isInitialize, member, protocolHeaders, STDIO_HEADER } from './client-claim.ts';

/** The daemon takes no larger body. A client that sends no end of a line must not fill the memory. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

const TOO_LONG = 'A message may have 4 MiB; this one has more.';

export type StdioOptions = {
  /** The address of the daemon, such as `http://127.0.0.1:3001`. */
  baseUrl: string;
  /** The user id, if not the one made of the client's name. */
  userId?: string;
  /** The key with which the person locked that user id. */
  key?: string;
  input: Readable;
  output: Pick<Writable, 'write'>;
  fetch?: typeof fetch;
};

const SESSION = 'mcp-session-id';

type Session = { id?: string; version?: string };

/**
 * Passes messages between a client on standard input and output and the daemon, one POST for each. Resolves when the input ends. Calls under way are then called off, and a prompt that the client has not learned of is withdrawn.
 */
export async function runStdio(options: StdioOptions): Promise<void> {
  const ended = new AbortController();
  const running = new Map<string, AbortController>();
  const session: Session = {};

  for await (const line of jsonLines(options.input)) {
    if (!line.ok) {
      write(options, failure(null, { code: -32_700, message: line.because }));
      continue;
    }
    const { message } = line;
    if (member(message, 'method') === 'notifications/cancelled') {
      running.get(idKey(member(member(message, 'params'), 'requestId')))?.abort();
      continue;
    }
    const own = new AbortController();
    const key = idKey(member(message, 'id'));
    running.set(key, own);
    const signal = AbortSignal.any([ended.signal, own.signal]);
    const passed = pass(message, { ...options, session, signal, callKey: randomUUID() });
    void passed.finally(() => running.get(key) === own && running.delete(key));
    // Nothing that follows may come before the session is known.
    if (isInitialize(message)) await passed;
  }
  ended.abort();
}

type Passing = StdioOptions & {
  session: Session;
  signal: AbortSignal;
  /** Under it a message that is sent again is the same call, also for a daemon that was started anew. */
  callKey: string;
};

/** How long the daemon may be away, and how often a message is sent again. */
const AWAY_MS = 30_000;
const LOOK_EVERY_MS = 250;
const MOST_TRIES = 5;

/**
 * Sends one message and writes all that comes back for it. If the daemon goes away before it has answered, waits for it to come back and asks
 * again for the outcome of the same call. Never rejects: a failure is the answer to a request.
 */
async function pass(message: unknown, passing: Passing): Promise<void> {
  const id = member(message, 'id');
  let fault: string | undefined;
  for (let tries = 0; tries < MOST_TRIES && (tries === 0 || (await isBack(passing))); tries += 1) {
    fault = await faultIn(message, passing);
    if (fault === undefined || passing.signal.aborted || id === undefined) return;
  }
  const words = `Handrail cannot be reached at ${passing.baseUrl}: ${fault}. ${ONCE_MORE}`;
  if (!passing.signal.aborted) write(passing, failure(id, { code: -32_000, message: words }));
}

/** Sends the message once. Answers why there is no answer. */
async function faultIn(message: unknown, passing: Passing): Promise<string | undefined> {
  try {
    return (await isAnswered(message, passing)) ? undefined : 'the connection ended before the answer';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ONCE_MORE =
  'The call may have been carried out. The same call again, within ten minutes, gives its outcome and does not do it again.';

/** Whether the request has its answer now. Progress alone is none. */
async function isAnswered(message: unknown, passing: Passing): Promise<boolean> {
  const id = member(message, 'id');
  const response = await post(message, passing);
  let hasAnswer = id === undefined;
  for await (const text of messagesIn(response)) {
    hasAnswer ||= idKey(member(JSON.parse(text), 'id')) === idKey(id);
    noteSession(passing.session, { message, response, text });
    write(passing, text);
  }
  if (!hasAnswer && !response.ok) write(passing, failure(id, await problemIn(response)));
  return hasAnswer || !response.ok;
}

/** Waits until the daemon answers again. */
async function isBack({ baseUrl, signal, fetch: send = fetch }: Passing): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < AWAY_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
    const answer = await send(new URL('/health', baseUrl), { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
  }
  return false;
}

function post(message: unknown, { baseUrl, userId, key, session, signal, callKey, fetch: send = fetch }: Passing) {
  return send(new URL('/mcp', baseUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      [STDIO_HEADER]: '1',
      'idempotency-key': callKey,
      ...(userId !== undefined && { 'x-user-id': userId }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(session.id !== undefined && { [SESSION]: session.id }),
      ...protocolHeaders(message, session.version),
    },
    body: JSON.stringify(message),
    signal,
  });
}

/** The messages of a response, as JSON. An answer that is no message of the protocol has none. */
async function* messagesIn(response: Response): AsyncGenerator<string, void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body !== null) {
    for await (const { data } of readEvents(response.body)) if (data !== '') yield data;
  } else if (type.startsWith('application/json')) yield JSON.stringify(await response.json());
}

function noteSession(session: Session, seen: { message: unknown; response: Response; text: string }): void {
  if (!isInitialize(seen.message)) return;
  const id = seen.response.headers.get(SESSION);
  if (id !== null) session.id = id;
  const version = member(member(JSON.parse(seen.text), 'result'), 'protocolVersion');
  if (typeof version === 'string') session.version = version;
}

type Failure = { code: number; message: string; data?: unknown };

/** Why the daemon refused a message before the protocol saw it. */
async function problemIn(response: Response): Promise<Failure> {
  const problem: unknown = await response.json().catch(() => undefined);
  const [code, detail] = [member(problem, 'code'), member(problem, 'detail')];
  return { code: -32_000, message: typeof detail === 'string' ? detail : `HTTP ${response.status}`, data: { code } };
}

function failure(id: unknown, error: Failure): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** One message is one line: JSON has no line break of its own. */
function write({ output }: Pick<StdioOptions, 'output'>, text: string): void {
  output.write(`${text}\n`);
}

function idKey(id: unknown): string {
  return JSON.stringify(id ?? null);
}

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

function parsed(line: string): Line {
  try {
    return { ok: true, message: JSON.parse(line) };
  } catch {
    return { ok: false, because: 'A line should be one JSON message.' };
  }
}
