import type { Action } from '../../../src/contract/action.ts';
import { deliveryIn } from '../../../src/contract/delivery-words.ts';
import type { Seen } from './witness.ts';

/** How much of an act the window got. `other`: something that nobody asked for. */
export type Got = 'nothing' | 'part' | 'whole' | 'twice' | 'other';

/** What an act must do to the window. */
export type Act = { actionType: 'TypeText' | 'Click' | 'PressKeys' | 'Drag'; text?: string };

export function gotOf({ actionType, text = '' }: Act, seen: Seen): Got {
  const wished = { TypeText: 0, Click: seen.clicks, PressKeys: seen.chords, Drag: seen.drags };
  const strays = seen.clicks + seen.chords + seen.drags - wished[actionType];
  if (strays > 0 || (actionType !== 'TypeText' && seen.text !== '')) return 'other';
  if (actionType === 'TypeText') return gotOfText(text, seen.text);
  if (wished[actionType] > 1) return 'twice';
  if (wished[actionType] === 1) return 'whole';
  return seen.presses + seen.releases > 0 ? 'part' : 'nothing';
}

function gotOfText(wished: string, got: string): Got {
  if (got === '') return 'nothing';
  if (got === wished) return 'whole';
  if (wished.startsWith(got)) return 'part';
  return got.startsWith(wished) ? 'twice' : 'other';
}

export type Told = Pick<Action, 'status' | 'effect' | 'data' | 'error'>;

/** Why the answer is a lie about what the window got; nothing where it is true. */
export function lieIn(action: Told, got: Got): string | undefined {
  if (got === 'twice') return 'it was done more than once';
  if (got === 'other') return 'something was done that nobody asked for';
  const delivered = deliveryIn(action)?.delivered;
  if (action.status === 'success') return got === 'whole' ? undefined : `it is told as done, and the window got ${got}`;
  const saysNothing = delivered === 'no' || (delivered === undefined && action.effect === 'none');
  if (saysNothing && got !== 'nothing') return `nothing is told as done, and the window got ${got}`;
  if (delivered === 'yes' && got === 'nothing') return 'a part is told as done, and the window got nothing';
  return undefined;
}
