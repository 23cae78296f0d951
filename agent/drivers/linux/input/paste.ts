import type { Delivery, InputFailed } from '../../input.ts';
import { refused, stoppedInput } from '../../input-outcome.ts';
import type { AccessibleObject, TextState } from './accessible-object.ts';
import { type Clipboard, MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, type KeyboardLayout, symbolOf } from './keyboard.ts';
import { around } from './pointer.ts';
import { eventsOf, readsBack, withInserted } from './typing.ts';

type Pasting = {
  text: string;
  /** The field that takes the text, if its app reports one. `before` is the text that the field held. */
  field: { object: AccessibleObject } | undefined;
  before: TextState | null;
  layout: KeyboardLayout;
  signal: AbortSignal;
  /** Answers why nothing was sent, if so. */
  send(events: readonly FakeEvent[]): Promise<(InputFailed & Delivery) | undefined>;
};

/**
 * Types a text by way of the clipboard. The clipboard is as before afterwards; where that cannot be done, nothing is pasted. Another
 * program may take the clipboard between write and paste; then the text may be its own, and the caller learns that.
 */
export async function paste(clipboard: Clipboard, { text, field, before, signal, send, layout }: Pasting) {
  if (Buffer.byteLength(text) > MOST_CLIPBOARD_BYTES) return refused(TOO_LONG);
  const saved = await clipboard.read();
  if (saved === null || Buffer.byteLength(saved) > MOST_CLIPBOARD_BYTES) return refused(CLIPBOARD_IN_USE);
  const putBack = async () => {
    if (!(await clipboard.isOurs())) return;
    if (saved === '') clipboard.clear();
    else await clipboard.write(saved);
  };
  const isOurs = await clipboard.write(text);
  const stroke = createKeyFinder(layout).ofShortcut(symbolOf('v'));
  if (!isOurs || stroke === undefined || signal.aborted) {
    await putBack();
    return signal.aborted ? stoppedInput(signal) : refused(CLIPBOARD_IN_USE);
  }
  const takenBefore = clipboard.taken();
  const unsent = await send(around(eventsOf(stroke), ['ctrl'], layout));
  if (unsent !== undefined) {
    await putBack();
    return unsent;
  }
  if (field !== undefined && before !== null) await readsBack(field.object, withInserted(before, text), signal);
  const isSwapped = clipboard.taken() === takenBefore && !(await clipboard.isOurs());
  await putBack();
  return isSwapped ? { ...refused(SWAPPED), ...PASTED } : undefined;
}

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
