import type { Action } from '../contract/action.ts';
import { codeOf, deliveryWords, LOOK_AGAIN } from '../contract/delivery-words.ts';
import type { Outcome } from './perform.ts';

/** An outcome in which the call was not done: its stable code, and a sentence for the model. */
export type Told = { code: string; message: string; actionId?: string; status: string };

type NotDone = Exclude<Outcome, { kind: 'done' }>;

/** `member` is the vendor's name of the call, and `schema` of all of them. */
export function told(outcome: NotDone, { member, schema }: { member: string; schema: string }): Told {
  const name = JSON.stringify(member).slice(1, -1);
  switch (outcome.kind) {
    case 'unknown':
      return refusal('unknown_member', `${name} is unknown: ${schema} has no member of this name.`);
    case 'unavailable':
      return refusal('not_supported', `${name} is not done by Handrail: ${outcome.because}.`);
    case 'unfit':
      return refusal('parameters_invalid', `${name} was not done: ${outcome.fault}`);
    case 'unended':
      return { ...ofAction(outcome.action), message: waitingWords(outcome.action) };
    case 'failed':
      return { ...ofAction(outcome.action), message: failedWords(outcome.action, outcome.before) };
  }
}

function refusal(code: string, message: string): Told {
  return { code, message, status: 'refused' };
}

function ofAction(action: Pick<Action, 'actionId' | 'status' | 'error'>) {
  const { actionId, status } = action;
  return { actionId, status, code: codeOf(action) };
}

function waitingWords({ actionId, status, details }: Action): string {
  if (status !== 'awaiting_confirmation')
    return `${status}: the action ${actionId} has not ended. Make the same call again to get its outcome.`;
  return `awaiting_confirmation: nothing was done yet. ${details} The person at this computer is being asked; only they can answer. The action is ${actionId}. Make the same call again later: it finds the same prompt and then its outcome.`;
}

const ADVICE: Readonly<Record<string, string>> = {
  denied: 'The person decided this. Do not ask for the same in another way.',
  expired: 'Nobody answered in time. The person may be away.',
  unknown: 'It may or may not have happened. Look at the screen before anything else.',
};

/** `before`: the types of the actions of the same call that were done. To make the call again would do them twice. */
function failedWords(action: Action, before: readonly string[]): string {
  const { details, error } = action;
  const { code } = ofAction(action);
  const partly =
    before.length === 0
      ? undefined
      : `Done before that: ${before.join(', ')}. Do not make the same call again; only the rest is missing.`;
  const all = [error?.fix, ADVICE[code], LOOK_AGAIN[code], deliveryWords(action), partly];
  return [`${code}: ${error?.message ?? details}`, ...all.filter((line) => line !== undefined)].join(' ');
}

/** The words about an action that was done, for the model of a vendor. */
export function doneWords(action: Action): string {
  return [action.details, deliveryWords(action)].filter((line) => line !== undefined).join(' ');
}
