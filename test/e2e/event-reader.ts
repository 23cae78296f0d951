import type { StreamEvent } from '../../src/contract/event.ts';

export type EventReader = {
  /** The next events, in the order in which they came. */
  take(count: number): Promise<StreamEvent[]>;
  /** The names of the next events, `reset` among them. */
  takeNames(count: number): Promise<string[]>;
  drop(): void;
};

type Frame = { event: string; data: string };

/** Reads a stream of Server-Sent Events by fetch, as the dashboard does. Resolves when the stream is open. */
export async function openStream(url: string, headers: Record<string, string>): Promise<EventReader> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  if (response.status !== 200 || response.body === null) throw new Error(`the stream answered ${response.status}`);
  // Node ends the stream of a response that nobody holds any more, unless the stream is being read.
  const frames = framesOf(response.body.pipeThrough(new TextDecoderStream()));
  const takeFrames = async (count: number) => {
    const taken: Frame[] = [];
    while (taken.length < count) {
      const next = await frames.next();
      if (next.done) throw new Error(`the stream ended after ${taken.length} of ${count} events`);
      taken.push(next.value);
    }
    return taken;
  };
  return {
    take: async (count) => (await takeFrames(count)).map(({ data }) => JSON.parse(data) as StreamEvent),
    takeNames: async (count) => (await takeFrames(count)).map(({ event }) => event),
    drop: () => controller.abort(),
  };
}

async function* framesOf(chunks: ReadableStream<string>): AsyncGenerator<Frame, void> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
}
