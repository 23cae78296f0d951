import { Transform } from 'node:stream';
import { createStreamTransport } from '../../../src/contract/stream-transport.ts';
import type { Receiver, Transport } from '../../../src/contract/transport.ts';

/** An end that is paused hears nothing and answers no ping, until it is resumed. */
export type PausableTransport = Transport & { pause(): void; resume(): void };

/**
 * Two transports in memory, each the other's far end. Frames arrive in order, never within the call that sent them,
 * and wait for an end that does not listen yet or is paused.
 */
export function createLinkedTransports(): [PausableTransport, PausableTransport] {
  const left = createEnd();
  const right = createEnd();
  return [transportBetween(left, right), transportBetween(right, left)];
}

/** The same over two byte streams, as over the pipes of a process. */
export function createLinkedStreams(): [PausableTransport, PausableTransport] {
  const [there, back] = [pipe(), pipe()];
  return [streamsBetween(back, there), streamsBetween(there, back)];
}

/** What is written arrives in a later turn of the event loop. */
function pipe(): Transform {
  return new Transform({ transform: (chunk, _encoding, done) => void setImmediate(done, null, chunk) });
}

function streamsBetween(input: Transform, output: Transform): PausableTransport {
  const transport = createStreamTransport({ input, output });
  return {
    listen: (receiver) => transport.listen(receiver),
    sendText: (text) => transport.sendText(text),
    sendBinary: (parts) => transport.sendBinary(parts),
    ping: () => transport.ping(),
    close: (code, reason) => transport.close(code, reason),
    terminate: () => transport.terminate(),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
  };
}

type Delivery = (receiver: Receiver) => void;

type End = {
  deliver(delivery: Delivery): void;
  listen(receiver: Receiver): void;
  pause(isPaused: boolean): void;
  /** What was delivered before is still heard, nothing after it. */
  finish(code: number, reason: string): void;
};

function transportBetween(near: End, far: End): PausableTransport {
  const end = (code: number, reason: string) => {
    far.finish(code, reason);
    near.finish(code, reason);
  };
  return {
    listen: (receiver) => near.listen(receiver),
    sendText: (text) => far.deliver((receiver) => receiver.text(text)),
    sendBinary: (parts) => far.deliver((receiver) => receiver.binary(Buffer.concat(parts))),
    ping() {
      far.deliver((receiver) => {
        receiver.heartbeat();
        near.deliver((pinger) => pinger.heartbeat());
      });
    },
    close: end,
    terminate: () => end(1006, ''),
    pause: () => near.pause(true),
    resume: () => near.pause(false),
  };
}

function createEnd(): End {
  const waiting: Delivery[] = [];
  let receiver: Receiver | null = null;
  let isPaused = false;
  let isFinished = false;

  function flush(): void {
    if (receiver === null || isPaused) return;
    for (const delivery of waiting.splice(0)) delivery(receiver);
  }

  function deliver(delivery: Delivery): void {
    if (isFinished) return;
    waiting.push(delivery);
    queueMicrotask(flush);
  }

  return {
    deliver,
    listen(listener) {
      receiver = listener;
      queueMicrotask(flush);
    },
    pause(isWanted) {
      isPaused = isWanted;
      queueMicrotask(flush);
    },
    finish(code, reason) {
      deliver((own) => own.closed(code, reason));
      isFinished = true;
    },
  };
}
