import { isInput } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { LiveActions } from './live-actions.ts';
import type { Slots } from './slots.ts';

type Kind = Pick<ActionRow, 'actionType' | 'effectClass'>;

type Parts = {
  live: Pick<LiveActions, 'get'>;
  slots: Pick<Slots, 'ids'>;
  handsOff(): { isShown(): boolean };
};

/**
 * Every registered device is the same desktop, which has one pointer and one keyboard. Input, and actions that may never be repeated,
 * run one at a time. No input is sent while a prompt is shown: it could press Allow.
 */
export function createSharedHands({ live, slots, handsOff }: Parts) {
  const isHeld = ({ actionType }: Pick<Kind, 'actionType'>, isPromptShown?: boolean) =>
    isInput(actionType) && (isPromptShown ?? handsOff().isShown());

  return {
    /** `isPromptShown`: for a caller that asks about many. */
    mayRun(kind: Kind, isPromptShown?: boolean): boolean {
      if (!isAlone(kind)) return true;
      const others = slots.ids().flatMap((id) => live.get(id) ?? []);
      return !others.some(isAlone) && !isHeld(kind, isPromptShown);
    },
    /** The sentence in the record of an action that is not sent at once. */
    turnWords: (kind: Pick<Kind, 'actionType'>): string => (isHeld(kind) ? AFTER_THE_PROMPT : 'Waiting for its turn.'),
  };
}

const AFTER_THE_PROMPT = 'Waiting until the person has answered the prompt that is shown: no input runs meanwhile.';

function isAlone({ actionType, effectClass }: Kind): boolean {
  return effectClass === 'once' || isInput(actionType);
}
