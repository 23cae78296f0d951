import type { Delivery, InputFailed, InputOutcome } from '../input.ts';
import { stoppedFailure } from '../stopping.ts';

/** The reason with which the person's own hand aborts an input. */
export const BY_PERSON = 'interrupted_by_person';

/** Nothing was done. */
export function refused(failed: Omit<InputFailed, 'ok' | 'sideEffect'>): InputFailed & Delivery {
  return { ok: false, sideEffect: 'none', ...failed, delivered: 'no', safeToRepeat: true };
}

/** A first part was done, and then there was an objection to the rest. */
export function doneInPart(objection: InputFailed, howFar: string): InputFailed & Delivery {
  const why = objection.message.replace(/ ?Nothing was done\.$/u, '');
  const message = why.endsWith(howFar) ? why : `${why} ${howFar}`;
  return { ...objection, message, ...PART_DONE };
}

/** How far a click of several presses came. */
export function pressedSoFar(presses: number): string {
  return presses === 1 ? 'It was clicked once, and not again.' : `It was clicked ${presses} times, and not again.`;
}

/** A first part was done. */
export const PART_DONE = { sideEffect: 'done', delivered: 'yes', safeToRepeat: false } as const;

/** Something was done, and its effect is not known. */
export function brokenOff(failed: Omit<InputFailed, 'ok' | 'sideEffect'>): InputFailed & Delivery {
  return { ok: false, sideEffect: 'unknown', ...failed, delivered: 'unknown', safeToRepeat: false };
}

/** No description tells an element with the id any more. */
export const ELEMENT_GONE = {
  code: 'target_gone',
  message: 'Expected the id of an element on the screen; it is gone.',
  fix: 'Describe the screen again.',
} as const;

/** `howFar` says how much of it was done, as a sentence; absent when nothing was. */
export function stoppedInput(signal: AbortSignal, howFar?: string): InputFailed & Delivery {
  const sideEffect = howFar === undefined ? 'none' : 'done';
  const delivery = { delivered: howFar === undefined ? 'no' : 'yes', safeToRepeat: howFar === undefined } as const;
  if (signal.reason !== BY_PERSON) {
    const failed = stoppedFailure(signal, sideEffect);
    return { ...failed, message: howFar === undefined ? failed.message : `${failed.message} ${howFar}`, ...delivery };
  }
  const message = `The person used the mouse or the keyboard, so the input ended. ${howFar ?? 'Nothing was done.'}`;
  return { ok: false, code: BY_PERSON, message, fix: 'Look at the screen before you go on.', sideEffect, ...delivery };
}

export function inputDone<Data extends object>(
  details: string,
  { isConfirmed, data, safeToRepeat = false }: { isConfirmed: boolean; data: Data; safeToRepeat?: boolean },
): InputOutcome<Data> {
  const effect = isConfirmed ? 'confirmed' : 'unverified';
  return { ok: true, details, effect, data, delivered: 'yes', safeToRepeat };
}

/** Something was only looked at. */
export function told<Data extends object>(details: string, data: Data): InputOutcome<Data> {
  return { ok: true, details, effect: 'none', data, delivered: 'yes', safeToRepeat: true };
}
