import { createStreamParser, type StreamMessage } from './event-stream-parser.ts';

/** The daemon says something every 15 s; after this long without a word the stream is dead. */
const SILENCE_MS = 40_000;

/** The messages of an event stream. It ends when the stream ends, breaks, or says nothing for too long. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createStreamParser();
  try {
    for (;;) {
      const piece = await nextPiece(reader);
      if (piece === undefined) return;
      yield* parser.push(decoder.decode(piece, { stream: true }));
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
