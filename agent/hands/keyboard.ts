import { setTimeout as pause } from 'node:timers/promises';
import type {
  InputResult,
  PressKeysParameters,
  SetValueParameters,
  TypeTextParameters,
} from '../../src/contract/hands.ts';
import { isIn, type Point } from '../../src/contract/picture-frames.ts';
import type { Control } from '../../src/contract/screen.ts';
import { placeReference } from '../../src/contract/targets.ts';
import type { Driver } from '../drivers/driver.ts';
import type { InputDriver } from '../drivers/input.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { controlOf, pagesOf } from '../targets/control.ts';
import { platformIdOf } from '../targets/element-ids.ts';
import { type Aim, aimAt, lookingAt, OWN, pointAt } from './aim.ts';
import { inputResult } from './input-result.ts';

const ANOTHER_PAGE: Failed = {
  ok: false,
  code: 'target_changed',
  message: 'The keyboard is no longer in the page that was judged. No more keys were sent.',
  fix: 'Look at the screen again.',
  sideEffect: 'none',
};

type Answer = Promise<Outcome<InputResult>>;
type Hands = { input: InputDriver; attempt: Attempt };

/** An app has so long to give the keyboard to the clicked control. */
const FOCUS_WITHIN_MS = 600;
const LOOK_EVERY_MS = 15;
/** By then a page that goes on by the click has mostly gone. */
const STILL_THERE_AFTER_MS = 100;

export async function pressKeys(
  driver: Driver,
  { keys, repeat, holdMs }: PressKeysParameters,
  attempt: Attempt,
): Answer {
  const input = driver.input();
  const hands = { input, attempt };
  const aim = aimAt({ kind: 'focus' }, hands);
  if (!aim.ok) return aim;
  const wish = { keys, repeat, holdMs };
  return inputResult(await input.pressKeys(wish, lookingAt(attempt, aim.look, pageWatch(aim.target.control, hands))));
}

export async function setValue(driver: Driver, wish: SetValueParameters, attempt: Attempt): Answer {
  const input = driver.input();
  const aim = aimAt({ kind: 'element', elementId: wish.elementId }, { input, attempt });
  if (!aim.ok) return aim;
  if (aim.target.control.isPassword) return PASSWORD;
  const found = await platformIdOf(input, wish.elementId, attempt);
  if (!found.ok) return found;
  // A name may lead to another control at each look, so the look is at the one that gets the value.
  const { elementId } = found.data;
  const look = () => aim.look({ kind: 'element', elementId });
  const outcome = await input.setValue({ ...wish, elementId }, lookingAt(attempt, look));
  const mayBeTyped = aim.target.control.isEditable && !/[\t\n\r]/u.test(wish.value);
  if (outcome.ok || outcome.code !== 'not_supported' || outcome.delivered !== 'no' || !mayBeTyped)
    return inputResult(outcome);
  // The fields of many pages take a text only as a person gives it.
  return typeText(driver, { text: wish.value, clear: true, elementId: wish.elementId }, attempt);
}

/** Types into a place, after a click on it has given it the keyboard. Without a place it types into the element that has the keyboard. */
export async function typeText(
  driver: Driver,
  { text, clear = false, ...place }: TypeTextParameters,
  attempt: Attempt,
): Answer {
  const input = driver.input();
  const hands = { input, attempt };
  const wish = { text, clear, newline: true, tab: true };
  if (placeReference(place) === undefined) {
    const aim = aimAt({ kind: 'focus' }, hands);
    if (!aim.ok) return aim;
    if (aim.target.control.isPassword) return PASSWORD;
    const watch = pageWatch(aim.target.control, hands);
    return inputResult(await input.typeText(wish, lookingAt(attempt, aim.look, watch)));
  }
  const aim = pointAt(place, hands);
  if (!aim.ok) return aim;
  if (aim.target.control.isPassword) return PASSWORD;
  const clicked = await input.click({ at: aim.at }, lookingAt(attempt, aim.look));
  if (!clicked.ok) return inputResult(clicked);
  const look = () => untilFocused(aim, hands);
  const typed = inputResult(await input.typeText(wish, lookingAt(attempt, look, pageWatch(aim.target.control, hands))));
  return typed.ok || typed.sideEffect !== 'none' ? typed : { ...typed, sideEffect: 'done' };
}

/** A page may go on to another one by the click, so the keyboard must still be there a moment later. */
async function untilFocused(aim: Aim & { at: Point }, hands: Hands): Promise<Failed | null> {
  const failed = await untilWithin(aim, hands);
  if (failed !== null || !isInPage(aim.target.control)) return failed;
  await pause(STILL_THERE_AFTER_MS);
  return untilWithin(aim, hands);
}

/** The keyboard must be in the clicked window, and in a control that contains the place of the click. */
async function untilWithin({ target, at }: Aim & { at: Point }, { input, attempt }: Hands): Promise<Failed | null> {
  const endMs = performance.now() + FOCUS_WITHIN_MS;
  for (;;) {
    const found = await input.sight({ kind: 'focus' }, attempt);
    const control = found.ok ? controlOf(found.data) : undefined;
    if (control?.isOwn === true) return OWN;
    if (control !== undefined && isWithin(control, target.control, at)) return null;
    if (performance.now() > endMs || attempt.signal.aborted)
      return found.ok ? { ...ELSEWHERE, isPrivate: control?.isPassword === true } : found;
    await pause(LOOK_EVERY_MS);
  }
}

function isWithin(focus: Control, judged: Control, at: Point): boolean {
  if (focus.pid !== judged.pid || focus.windowId !== judged.windowId || focus.isPassword) return false;
  if (!isSamePage(focus, judged)) return false; // guard N42-1
  if (focus.role === judged.role && focus.name === judged.name) return true;
  // An app that tells nothing of the keyboard leaves only the window; then the judged place must be the window, too.
  if (focus.role === 'window') return judged.role === 'window';
  return !judged.isEditable && focus.bounds !== null && isIn(focus.bounds, at);
}

const PASSWORD: Failed = {
  ok: false,
  code: 'invalid_target',
  message: 'The field is for a password. Handrail types no passwords; nothing was done.',
  sideEffect: 'none',
};
const ELSEWHERE: Failed = {
  ok: false,
  code: 'target_changed',
  message:
    'The click did not give the keyboard to the control that was judged. The control was clicked, and nothing was typed.',
  fix: 'Look at the screen again.',
  sideEffect: 'none',
};

type Pages = Pick<Control, 'url' | 'documents'>;

function isInPage({ url, documents }: Pages): boolean {
  return url !== undefined || documents !== undefined;
}

/** Whether two controls are in the same documents. Many pages change the query or the fragment of their own address while one types. */
function isSamePage(one: Pages, other: Pages): boolean {
  return JSON.stringify(addressesOf(one)) === JSON.stringify(addressesOf(other));
}

function addressesOf({ url = '', documents = [] }: Pages): string[] {
  return [url, ...documents].map((address) => address.split(/[?#]/u)[0] ?? '');
}

/** The look between the keys that are meant for a page: a key may lead to another page. None where the judged control is in no page. */
function pageWatch(
  judged: Control,
  { input, attempt }: { input: InputDriver; attempt: Attempt },
): (() => Promise<Failed | null>) | undefined {
  if (!isInPage(judged)) return undefined;
  return async () => {
    const found = await input.focusDocuments(attempt);
    if (!found.ok) return found;
    return isSamePage(pagesOf(found.data), judged) ? null : ANOTHER_PAGE; // guard N42-2
  };
}
