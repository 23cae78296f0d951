import { createFrameReader, FRAME, type Frame, frameHead, MAGIC } from './stream-frames.ts';
import type { Receiver, Transport } from './transport.ts';
import { beginningOf, CLOSE_PATIENCE_MS, CLOSED_BY_TRANSPORT } from './transport-ends.ts';

/** Over a pair of byte streams; the round trip is known once a ping was answered. */
export type StreamTransport = Transport & { roundTripMs(): number | undefined };

/** The part of Node's `Readable` and `Writable` that the link uses. */
type Input = {
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'end' | 'close', listener: () => void): unknown;
  resume(): unknown;
  destroy(): unknown;
};
type Output = {
  readonly writable: boolean;
  readonly writableLength: number;
  on(event: 'error', listener: (error: Error) => void): unknown;
  write(bytes: Uint8Array): unknown;
  cork(): void;
  uncork(): void;
  end(): unknown;
  destroy(): unknown;
};

type Options = {
  input: Input;
  output: Output;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** A peer that leaves more than this unread is cut off; as much as there is by default. */
  mostUnreadBytes?: number;
};

/**
 * The agent link over two byte streams, such as standard input and output of `ssh`; the same at both ends. A frame has been handed to the
 * system when the call that sends it returns, as far as the stream has room.
 */
export function createStreamTransport(options: Options): StreamTransport {
  return new LiveStream(options);
}

class LiveStream implements StreamTransport {
  readonly #input: Input;
  readonly #output: Output;
  readonly #now: () => number;
  readonly #mostUnreadBytes: number;
  /** When each ping was sent whose answer has not come. */
  readonly #pingedAtMs: number[] = [];
  #roundTripMs: number | undefined;
  #receiver: Receiver | undefined;
  #isClosing = false;
  #patience: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor({ input, output, now = () => performance.now(), mostUnreadBytes = Number.POSITIVE_INFINITY }: Options) {
    this.#input = input;
    this.#output = output;
    this.#now = now;
    this.#mostUnreadBytes = mostUnreadBytes;
    input.on('error', (error) => this.#end(CLOSED_BY_TRANSPORT.lost, error.message));
    input.once('end', () => this.#end(CLOSED_BY_TRANSPORT.lost, ''));
    input.once('close', () => this.#end(CLOSED_BY_TRANSPORT.lost, ''));
    // What the peer sent before it went may still be in the input.
    output.on('error', (error) => this.#endSoon(error.message));
    this.#write(MAGIC);
  }

  listen(receiver: Receiver): void {
    this.#receiver = receiver;
    const reader = createFrameReader({
      frame: (frame) => this.#hear(frame),
      broken: (code, reason) => this.#break(code, reason),
    });
    this.#input.on('data', (chunk: Buffer) => {
      if (!this.#hasEnded) reader.read(chunk);
    });
    this.#input.resume();
    if (this.#input.destroyed || this.#input.readableEnded) this.terminate();
  }

  sendText(text: string): void {
    this.#send(FRAME.text, [Buffer.from(text)]);
  }

  sendBinary(parts: readonly Uint8Array[]): void {
    this.#send(FRAME.binary, parts);
  }

  ping(): void {
    this.#pingedAtMs.push(this.#now());
    this.#send(FRAME.ping, []);
  }

  close(code: number, reason: string): void {
    if (this.#isClosing || this.#hasEnded) return;
    this.#sendClose(code, reason);
    this.#endSoon('');
  }

  terminate(): void {
    queueMicrotask(() => this.#end(CLOSED_BY_TRANSPORT.lost, ''));
  }

  roundTripMs(): number | undefined {
    return this.#roundTripMs;
  }

  #hear({ kind, payload }: Frame): void {
    if (this.#hasEnded) return;
    switch (kind) {
      case FRAME.text:
        this.#receiver?.text(payload.toString());
        break;
      case FRAME.binary:
        this.#receiver?.binary(payload);
        break;
      case FRAME.close:
        this.#hearClose(payload);
        break;
      default:
        this.#hearBeat(kind);
    }
  }

  #hearBeat(kind: Frame['kind']): void {
    const pingedAtMs = kind === FRAME.pong ? this.#pingedAtMs.shift() : undefined;
    if (pingedAtMs !== undefined) this.#roundTripMs = this.#now() - pingedAtMs;
    if (kind === FRAME.ping) this.#send(FRAME.pong, []);
    this.#receiver?.heartbeat();
  }

  #hearClose(payload: Buffer): void {
    if (payload.length < 2) {
      this.#break(CLOSED_BY_TRANSPORT.brokenFrame, 'a close frame without a code came');
      return;
    }
    const code = payload.readUInt16BE();
    this.#sendClose(code, '');
    this.#end(code, payload.toString('utf8', 2));
  }

  /** The peer does not keep to the frames, so nothing more of it is read. */
  #break(code: number, reason: string): void {
    this.#sendClose(code, reason);
    this.#end(code, reason);
  }

  #send(kind: Frame['kind'], parts: readonly Uint8Array[]): void {
    if (this.#isClosing || this.#hasEnded) return;
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    this.#output.cork();
    this.#write(frameHead(kind, size));
    for (const part of parts) this.#write(part);
    this.#output.uncork();
  }

  #sendClose(code: number, reason: string): void {
    if (this.#isClosing) return;
    const payload = Buffer.concat([Buffer.alloc(2), beginningOf(reason)]);
    payload.writeUInt16BE(code);
    this.#send(FRAME.close, [payload]);
    this.#isClosing = true;
    this.#output.end();
  }

  #write(bytes: Uint8Array): void {
    if (this.#output.writable) this.#output.write(bytes);
    if (this.#output.writableLength > this.#mostUnreadBytes)
      this.#end(CLOSED_BY_TRANSPORT.lost, 'it reads nothing of what it is sent');
  }

  /** Ends the link when the other side does not. */
  #endSoon(reason: string): void {
    this.#patience ??= setTimeout(() => this.#end(CLOSED_BY_TRANSPORT.lost, reason), CLOSE_PATIENCE_MS);
  }

  #end(code: number, reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#patience);
    this.#input.destroy();
    // After a close frame the output ends by itself, when that frame has left.
    if (!this.#isClosing || code === CLOSED_BY_TRANSPORT.lost) this.#output.destroy();
    this.#receiver?.closed(code, reason);
  }
}
