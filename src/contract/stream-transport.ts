import { CLOSE, MAX_FRAME_BYTES } from './link.ts';
import { beginningOf, CLOSE_PATIENCE_MS, CLOSED_BY_TRANSPORT, type Receiver, type Transport } from './transport.ts';

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

/**
 * The frames of the agent link over a byte stream: one byte that names the kind, four bytes with the length of the payload (big endian), the
 * payload. The payload of a close frame is a code of two bytes and the reason; pings and pongs have none.
 */

/** The first byte of a frame. */
export const FRAME = { text: 1, binary: 2, ping: 3, pong: 4, close: 5 } as const;

export type Frame = { kind: (typeof FRAME)[keyof typeof FRAME]; payload: Buffer };

/** What each end sends first. A login shell may write text of its own before it. */
export const MAGIC = Buffer.from('\0handrail link\n');

/** So much of other text may come before the magic. */
const MOST_TEXT_BEFORE = 64 * 1024;

const NOTHING = Buffer.alloc(0);
const HEAD_BYTES = 5;
const LONGEST_CLOSE_BYTES = 125;
const FIRST_ROOM_BYTES = 64 * 1024;

const KINDS = Object.values(FRAME);
const LONGEST_PAYLOAD: Readonly<Record<Frame['kind'], number>> = {
  [FRAME.text]: MAX_FRAME_BYTES,
  [FRAME.binary]: MAX_FRAME_BYTES,
  [FRAME.ping]: 0,
  [FRAME.pong]: 0,
  [FRAME.close]: LONGEST_CLOSE_BYTES,
};

export function frameHead(kind: Frame['kind'], size: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(kind);
  head.writeUInt32BE(size, 1);
  return head;
}

type FrameEvents = {
  /** The payload may share its memory with the chunk that carried it. */
  frame(frame: Frame): void;
  /** The stream holds something else. The last event. */
  broken(code: number, reason: string): void;
};

type FrameReader = { read(chunk: Buffer): void };

/** Finds the frames in a stream of bytes, however it is cut into chunks. Each byte is copied a few times at most. */
export function createFrameReader(events: FrameEvents): FrameReader {
  return new LiveReader(events);
}

class LiveReader implements FrameReader {
  readonly #events: FrameEvents;
  #phase: 'before' | 'head' | 'payload' | 'broken' = 'before';
  #skipped = 0;
  /** The bytes so far of what is being read: the end of the text before the magic, a head, or a payload. */
  #part: Buffer = NOTHING;
  #partBytes = 0;
  #wantedBytes = HEAD_BYTES;
  #kind: Frame['kind'] = FRAME.text;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  read(chunk: Buffer): void {
    let rest = this.#phase === 'before' ? this.#skipText(chunk) : chunk;
    while (rest.length > 0 && this.#phase !== 'broken') {
      const wanted = this.#wantedBytes - this.#partBytes;
      if (rest.length >= wanted) this.#complete(this.#joined(rest.subarray(0, wanted)));
      else this.#keep(rest);
      rest = rest.subarray(wanted);
    }
  }

  /** Answers what follows the magic; nothing while it has not come. */
  #skipText(chunk: Buffer): Buffer {
    const seen = Buffer.concat([this.#part, chunk]);
    const at = seen.indexOf(MAGIC);
    const text = at === -1 ? Math.max(0, seen.length - MAGIC.length + 1) : at;
    this.#skipped += text;
    if (this.#skipped > MOST_TEXT_BEFORE) {
      this.#break(
        CLOSED_BY_TRANSPORT.brokenFrame,
        `${MOST_TEXT_BEFORE} bytes of other text came, and no Handrail agent`,
      );
      return NOTHING;
    }
    if (at === -1) {
      this.#part = seen.subarray(text);
      return NOTHING;
    }
    this.#part = NOTHING;
    this.#phase = 'head';
    return seen.subarray(at + MAGIC.length);
  }

  /** A whole head or payload. */
  #complete(bytes: Buffer): void {
    if (this.#phase === 'payload') {
      this.#await('head', HEAD_BYTES);
      this.#events.frame({ kind: this.#kind, payload: bytes });
      return;
    }
    const kind = KINDS.find((known) => known === bytes.readUInt8());
    const size = bytes.readUInt32BE(1);
    const longest = kind === undefined ? 0 : LONGEST_PAYLOAD[kind];
    if (kind === undefined) this.#break(CLOSED_BY_TRANSPORT.brokenFrame, 'a frame of an unknown kind came');
    else if (size > longest) this.#break(CLOSE.tooBig, `a frame of ${size} bytes came, ${longest} are the most`);
    else this.#begin(kind, size);
  }

  #begin(kind: Frame['kind'], size: number): void {
    this.#kind = kind;
    this.#await('payload', size);
    if (size === 0) this.#complete(NOTHING);
  }

  #await(phase: 'head' | 'payload', bytes: number): void {
    this.#phase = phase;
    this.#wantedBytes = bytes;
    this.#partBytes = 0;
  }

  #joined(last: Buffer): Buffer {
    if (this.#partBytes === 0) return last;
    this.#keep(last);
    const whole = this.#part.subarray(0, this.#partBytes);
    this.#part = NOTHING;
    return whole;
  }

  /** The room doubles, and is never more than what is wanted: a peer that only announces a large frame costs nothing. */
  #keep(bytes: Buffer): void {
    const neededBytes = this.#partBytes + bytes.length;
    if (neededBytes > this.#part.length) {
      const roomBytes = Math.min(this.#wantedBytes, Math.max(neededBytes, 2 * this.#part.length, FIRST_ROOM_BYTES));
      const grown = Buffer.allocUnsafeSlow(roomBytes);
      this.#part.copy(grown, 0, 0, this.#partBytes);
      this.#part = grown;
    }
    bytes.copy(this.#part, this.#partBytes);
    this.#partBytes = neededBytes;
  }

  #break(code: number, reason: string): void {
    this.#phase = 'broken';
    this.#part = NOTHING;
    this.#events.broken(code, reason);
  }
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
    // guard A31-6
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
