import { CLOSE, MAX_FRAME_BYTES } from './link.ts';
import { CLOSED_BY_TRANSPORT } from './transport-ends.ts';

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

export type FrameReader = { read(chunk: Buffer): void };

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
