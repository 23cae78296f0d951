import { createParser, type EventSourceMessage } from 'eventsource-parser';

export type ServerEvent = EventSourceMessage;

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
