import { createParser } from 'eventsource-parser';
import type { StreamEvent } from '../contract/event.ts';
import type { Failure, Reply } from './call.ts';
import { backoffMs, pause } from './pause.ts';

type Open = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Reply<ReadableStream<Uint8Array>>>;
type Followed = StreamEvent | { kind: 'reset'; id: string };

export class StreamRefused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`Handrail refused the stream of events: ${failure.detail}`);
    this.failure = failure;
  }
}

/**
 * The events of a stream, one after another, until the signal aborts. A stream that breaks is opened again behind the last event. `reset`
 * means that events are missing, and everything has to be loaded anew. Throws StreamRefused when the daemon refuses the stream for good.
 */
export async function* followEvents(
  open: Open,
  { signal, after }: { signal: AbortSignal; after?: string | undefined },
): AsyncGenerator<Followed, void> {
  let last = after;
  let failures = 0;
  let wasOpen = false;
  while (!signal.aborted) {
    const opened = await open(last, signal);
    failures = opened.ok ? 0 : failures + 1;
    const body = opened.ok ? opened.value : passing(opened.failure);
    // Without a position, nothing says what happened since the first stream broke.
    if (body !== undefined && wasOpen && last === undefined) yield { kind: 'reset', id: '' };
    wasOpen ||= body !== undefined;
    for await (const event of body === undefined ? [] : eventsOf(body)) {
      last = event.id;
      yield event;
    }
    await pause(backoffMs(failures), signal);
  }
}

/** As the parser gives it. Its own type is not in the package of the client. */
export type ServerEvent = { id?: string | undefined; event?: string | undefined; data: string };

/** The daemon says something every 15 s; after this long without a word the stream is dead. */
const SILENCE_MS = 40_000;

/** The messages of an event stream. It ends when the stream ends, breaks, or says nothing for too long. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const messages: ServerEvent[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  try {
    for (;;) {
      const piece = await nextPiece(reader);
      if (piece === undefined) return;
      parser.feed(decoder.decode(piece, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    // Whether the other end still hears of it makes no difference here.
    await reader.cancel().catch(() => undefined);
  }
}

async function nextPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), SILENCE_MS);
  const piece = reader.read().then(
    ({ value }) => value,
    () => undefined,
  );
  return Promise.race([piece, silence.promise]).finally(() => clearTimeout(timer));
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Followed, void> {
  for await (const { id = '', event, data } of readEvents(body)) {
    yield event === 'reset' ? { kind: 'reset', id } : JSON.parse(data);
  }
}

function passing(failure: Failure): undefined {
  if (!PASSING.includes(failure.code)) throw new StreamRefused(failure);
}

const PASSING: readonly Failure['code'][] = ['unreachable', 'rate_limited', 'storage_unavailable', 'internal_error'];
