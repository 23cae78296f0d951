import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import type { Conversation } from '../../converse.ts';
import { type AnswerShape, asciiJson, cleanEnvironment, OSASCRIPT, parsed, scriptPath } from '../run-script.ts';
import type { Converse } from '../script-reader.ts';

/** The process that posts events ended or hangs, so it is not known which of them arrived. */
export class SeatLostError extends Error {
  override name = 'SeatLostError';
}

/** One event of pointer or keyboard, as input-events.js posts it. Points are those of the desktop. */
export type InputEvent =
  | { kind: 'move'; x: number; y: number }
  | { kind: 'button'; button: number; isDown: boolean; clicks: number }
  /** In notches; positive is down and right. */
  | { kind: 'scroll'; dx: number; dy: number }
  | { kind: 'key'; code: number; isDown: boolean }
  /** At most 20 UTF-16 units: macOS drops the rest. */
  | { kind: 'text'; text: string };

/** Keys and buttons that are down. */
type Held = { keys: readonly number[]; buttons: readonly number[] };

const NOTHING_HELD: Held = { keys: [], buttons: [] };

/** Every key and button that may be down while the events are posted. Posting may stop after any event. */
function mayBeHeld(events: readonly InputEvent[], before: Held): Held {
  const keys = events.flatMap((event) => (event.kind === 'key' && event.isDown ? [event.code] : []));
  const buttons = events.flatMap((event) => (event.kind === 'button' && event.isDown ? [event.button] : []));
  return { keys: [...new Set([...before.keys, ...keys])], buttons: [...new Set([...before.buttons, ...buttons])] };
}

function isHolding({ keys, buttons }: Held): boolean {
  return keys.length + buttons.length > 0;
}

/** Pointer and keyboard of this Mac, through one process that lets go of everything when this one dies. All reject with SeatLostError. */
export type Seat = {
  begin(): Promise<Begun>;
  /**
   * Resolves when macOS has taken the events. They reach the apps some milliseconds later. With `only`, nothing is posted while another
   * window has the keyboard.
   */
  post(events: readonly InputEvent[], only?: number): Promise<Posted>;
  /** The window that has the keyboard, by a number of its own. */
  holder(): Promise<number>;
  look(): Promise<Looked>;
  /** Lets go of everything that is down, also when the process that pressed it is gone. */
  release(): Promise<void>;
  close(): Promise<void>;
};

/** `quietMs`: since the person's last input. `secure`: an app keeps the keyboard for itself, as password fields do. */
type Begun = Static<typeof Begun>;
/** `person`: the person has used a device since the begin. While it is `secure`, no text is posted. */
export type Looked = { person: boolean; secure: boolean; held: Held; pointer: Point };
type Posted = Looked & { posted: boolean };

const ANSWER_WITHIN_MS = 2_000;

const Begun = Type.Object({ held: Type.Boolean(), secure: Type.Boolean(), quietMs: Type.Number() });
const looked = {
  person: Type.Boolean(),
  secure: Type.Boolean(),
  held: Type.Object({ keys: Type.Array(Type.Integer()), buttons: Type.Array(Type.Integer()) }),
  pointer: Type.Object({ x: Type.Number(), y: Type.Number() }),
};
const shapes = {
  begin: shapeOf(Begun),
  look: shapeOf(Type.Object(looked)),
  post: shapeOf(Type.Object({ ...looked, posted: Type.Boolean() })),
  holder: shapeOf(Type.Object({ holder: Type.Integer() })),
  release: shapeOf(Type.Object({})),
};

/** What is posted, and the only window that may have the keyboard then. */
type Posting = { events?: readonly InputEvent[]; only?: number | undefined };
type Shape<Data> = AnswerShape<Data & { id: number }>;
type Call = { text: string; settle(line: string | null): void };
type Hand = { talk: Conversation; call: Call | null };

export function createSeat(start: Converse): Seat {
  let hand: Hand | null = null;
  let held = NOTHING_HELD;
  let lastId = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  function drop(own: Hand): void {
    if (hand === own) hand = null;
    own.talk.stop();
    own.call?.settle(null);
  }

  /** A new process first releases the keys and buttons that the previous one left down. */
  function begin(): Hand {
    const own: Hand = { talk: { say: () => undefined, stop: () => undefined }, call: null };
    hand = own;
    own.talk = start(handStart(held), {
      said: (text) => {
        if (own.call === null) return;
        own.call.text += text;
        const end = own.call.text.indexOf('\n');
        if (end >= 0) own.call.settle(own.call.text.slice(0, end));
      },
      ended: () => drop(own),
    });
    return own;
  }

  /** One call at a time. */
  function ask<Data>(verb: string, shape: Shape<Data>, posting?: Posting): Promise<Data> {
    const mine = last.then(() => askNow(verb, shape, posting));
    last = mine.catch(() => undefined);
    return mine;
  }

  async function askNow<Data>(verb: string, shape: Shape<Data>, posting?: Posting): Promise<Data> {
    if (isClosed) throw new SeatLostError('The driver has been closed.');
    const own = hand ?? begin();
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const late = setTimeout(() => drop(own), ANSWER_WITHIN_MS);
    own.call = { text: '', settle: resolve };
    own.talk.say(`${asciiJson({ id, verb, ...posting })}\n`);
    const line = await promise.finally(() => clearTimeout(late));
    own.call = null;
    const answer = line === null ? undefined : parsed(line);
    if (shape.Check(answer) && answer.id === id) return answer;
    drop(own);
    throw new SeatLostError('The process that posts the events of pointer and keyboard did not answer.');
  }

  async function post(events: readonly InputEvent[], only?: number): Promise<Posted> {
    held = mayBeHeld(events, held);
    const posted = await ask('post', shapes.post, { events, only });
    held = posted.held;
    return posted;
  }

  async function release(): Promise<void> {
    if (!isHolding(held)) return;
    await ask('release', shapes.release).catch(() => ask('release', shapes.release));
    held = NOTHING_HELD;
  }

  return {
    begin: () => ask('begin', shapes.begin),
    look: () => ask('look', shapes.look),
    post,
    holder: async () => (await ask('holder', shapes.holder)).holder,
    release,
    async close() {
      await release().catch(() => undefined);
      isClosed = true;
      if (hand !== null) drop(hand);
    },
  };
}

function handStart(held: Held) {
  const args = ['-l', 'JavaScript', scriptPath('input-events'), JSON.stringify({ held })];
  return { program: OSASCRIPT, args, environment: cleanEnvironment(process.env), hasOwnGroup: true };
}

function shapeOf<Schema extends TSchema>(schema: Schema) {
  return Compile(Type.Intersect([Type.Object({ id: Type.Integer(), ok: Type.Literal(true) }), schema]));
}

/** The refusal while an app has asked macOS to show the keys to nobody else. */
export const SECURE = {
  code: 'invalid_target',
  message:
    'An app keeps the keyboard for itself (secure input), as a password field does. Handrail types no passwords.',
  fix: 'Leave the password field. In Terminal or iTerm, switch Secure Keyboard Entry off.',
} as const;
