import type { Action } from './action.ts';

/** For a model: whether an action by pointer, keyboard or windows may be done again. Nothing for any other action. */
export function deliveryWords({ data, error, effect }: Pick<Action, 'data' | 'error' | 'effect'>): string | undefined {
  const told = [data, error].map((each) => Object(each)).find((each) => each.delivered !== undefined);
  const words = told && WORDS[String(told.delivered)];
  if (words === undefined) return undefined;
  const unseen = told.delivered === 'yes' && effect === 'unverified' ? ' Nothing shows that it changed anything.' : '';
  const repeat = told.safeToRepeat === true ? 'It is safe to repeat.' : 'Do not repeat it before you took a new look.';
  return `${words}${unseen} ${repeat}`;
}

const WORDS: Readonly<Record<string, string>> = {
  yes: 'The desktop got it.',
  no: 'The desktop got nothing of it.',
  unknown: 'The desktop may have got it or not.',
};

/** For a model: what to do after a failure of these codes. */
export const LOOK_AGAIN: Readonly<Record<string, string>> = {
  stale_frame: 'The picture is old or the screen has changed. Take a new look, and use its frameId.',
  target_changed: 'What was there is now another one. Take a new look before you go on.',
  target_gone: 'It is no longer there. Take a new look before you go on.',
  interrupted_by_person: 'The person uses the computer now. Wait some seconds, then take a new look.',
};
