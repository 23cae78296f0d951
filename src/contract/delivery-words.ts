import { Type } from 'typebox';
import type { Action } from './action.ts';
import { Delivery } from './hands.ts';
import { lazyCheck } from './lazy-check.ts';

/** For a model: whether an action by pointer, keyboard or windows may be done again. Nothing for any other action. */
export function deliveryWords(action: Told & Pick<Action, 'effect'>): string | undefined {
  const told = deliveryIn(action);
  if (told === undefined) return undefined;
  const { delivered, safeToRepeat } = told;
  const isUnseen = delivered === 'yes' && action.effect === 'unverified';
  const repeat = safeToRepeat ? 'It is safe to repeat.' : 'Do not repeat it before you took a new look.';
  const changing = isStillChanging(action.data) ? ' The screen is still changing: look with settle: true.' : '';
  return `${WORDS[delivered]}${isUnseen ? ' Nothing shows that it changed anything.' : ''}${changing} ${repeat}`;
}

type Told = Pick<Action, 'data' | 'error'>;

const isStillChanging = lazyCheck(Type.Object({ settled: Type.Literal(false) }));
const isDelivery = lazyCheck(Type.Object(Delivery.properties));

/** The delivery of an action, told with its result or with its failure. */
export function deliveryIn({ data, error }: Told): Delivery | undefined {
  const told = [data, error].find((each): each is Delivery => isDelivery(each));
  return told && { delivered: told.delivered, safeToRepeat: told.safeToRepeat };
}

const WORDS: Readonly<Record<Delivery['delivered'], string>> = {
  yes: 'The desktop got it.',
  no: 'The desktop got nothing of it.',
  unknown: 'The desktop may have got it or not.',
};

/** Advice to a model after a failure of these codes. */
export const LOOK_AGAIN: Readonly<Record<string, string>> = {
  stale_frame: 'The picture is old or the screen has changed. Take a new look, and use its frameId.',
  target_changed: 'Take a new look first: it is not what it was.',
  target_gone: 'It is no longer there. Take a new look before you go on.',
  interrupted_by_person: 'The person uses the computer now. Wait some seconds, then take a new look.',
};

/** The stable code of an end without success: the code of its error, or else its status. */
export function codeOf({ status, error }: Pick<Action, 'status' | 'error'>): string {
  if (status === 'failed') return error?.code ?? 'internal_error';
  return status === 'expired' ? (error?.code ?? status) : status;
}
