import { setTimeout as pause } from 'node:timers/promises';
import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import type { Delivery, InputFailed } from '../../input.ts';
import type { AccessibleObject, TextState } from './accessible-object.ts';
import { type Clipboard, MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, type KeyboardLayout, symbolOf } from './keyboard.ts';
import { around } from './pointer.ts';
import { eventsOf, readsBack, withInserted } from './typing.ts';

type Failure = InputFailed & Delivery;

type Pasting = {
  text: string;
  /** The field that takes the text, if its app reports one. `before` is the text that the field held. */
  field: { object: AccessibleObject } | undefined;
  before: TextState | null;
  layout: KeyboardLayout;
  signal: AbortSignal;
  /** Answers why nothing was sent, if so. */
  send(events: readonly FakeEvent[]): Promise<Failure | undefined>;
};

/**
 * Types a text by way of the clipboard. The clipboard is as before afterwards; where that cannot be done, nothing is pasted. Another
 * program may take the clipboard between write and paste; then the text may be its own, and the caller learns that.
 */
export async function paste(clipboard: Clipboard, pasting: Pasting): Promise<Failure | undefined> {
  const { text, signal } = pasting;
  if (Buffer.byteLength(text) > MOST_CLIPBOARD_BYTES) return refused(TOO_LONG);
  const saved = await clipboard.save();
  if (signal.aborted) return stoppedInput(signal);
  if (saved === null) return refused(CLIPBOARD_IN_USE);
  try {
    return await pasteFrom(clipboard, pasting);
  } finally {
    if (await clipboard.isOurs()) await clipboard.offer(saved);
  }
}

async function pasteFrom(clipboard: Clipboard, { text, field, before, signal, send, layout }: Pasting) {
  const isOurs = await clipboard.write(text);
  const stroke = createKeyFinder(layout).ofShortcut(symbolOf('v'));
  if (signal.aborted) return stoppedInput(signal);
  if (!isOurs || stroke === undefined) return refused(CLIPBOARD_IN_USE);
  const takenBefore = clipboard.taken();
  const unsent = await send(around(eventsOf(stroke), ['ctrl'], layout));
  if (unsent !== undefined) return unsent;
  const isTaken = () => clipboard.taken() > takenBefore;
  for (let waitedMs = 0; !isTaken() && waitedMs < TAKEN_WITHIN_MS && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
    if (!(await clipboard.isOurs())) break;
    await pause(LOOK_EVERY_MS);
  }
  if (field !== undefined && before !== null) await readsBack(field.object, withInserted(before, text), signal);
  const isSwapped = !isTaken() && !(await clipboard.isOurs());
  return isSwapped ? { ...refused(SWAPPED), ...PASTED } : undefined;
}

/** An app has so long to take the text. */
const TAKEN_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 10;
const TOO_LONG = { code: 'too_large', message: `Expected a text of at most ${MOST_CLIPBOARD_BYTES} bytes.` } as const;
const CLIPBOARD_IN_USE = {
  code: 'not_typable',
  message: 'The text has to be pasted, and the clipboard holds something that could not be put back.',
} as const;
const SWAPPED = {
  code: 'target_changed',
  message: 'Another program took the clipboard before the app did, so another text may have been pasted.',
  fix: 'Look at the field before you go on.',
} as const;
/** The keys were pressed. */
const PASTED = { sideEffect: 'unknown', delivered: 'unknown', safeToRepeat: false } as const;
