import canonicalize from 'canonicalize';
import type { Confirmation } from '../../contract/console.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { ConfirmationRow } from '../../store/confirmations.ts';
import { viewAction } from '../action-view.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';

/** A confirmation as the dashboard sees it. */
export function viewConfirmation(
  context: Context,
  parts: { row: ConfirmationRow; action: ActionRow; place: number; waiting: number },
): Confirmation {
  const { row, action } = parts;
  return {
    id: row.id,
    nonce: row.nonce,
    actionDigest: row.actionDigest,
    status: row.status,
    createdAt: timestamp(row.createdAtMs),
    ...(row.shownAtMs === undefined ? {} : { shownAt: timestamp(row.shownAtMs) }),
    ...(row.answerableAtMs === undefined ? {} : { answerableAt: timestamp(row.answerableAtMs) }),
    expiresAt: timestamp(row.expiresAtMs),
    presenceRequired: isAtLeast(action.risk.level, 'high'),
    scopes: [{ scope: 'once', grant: 'Only this once.' }],
    ...promptOf(context, parts),
  };
}

/** The action of a confirmation and the facts of its prompt, in the order in which they are shown. */
function promptOf(
  { store }: Context,
  parts: { row: ConfirmationRow; action: ActionRow; place: number; waiting: number },
): Pick<Confirmation, 'action' | 'prompt'> {
  const { row, action, place, waiting } = parts;
  const assessed = CATALOGUE.get(action.actionType)?.assess(action.parameters);
  if (assessed?.ok !== true) throw new Error(`action ${action.id} was accepted and can no longer be assessed`);
  const before = store.confirmations.allowedBefore(row.userId, action.actionType);
  return {
    action: viewAction(action, { artifacts: [], confirmation: row }),
    prompt: {
      requester: {
        userId: row.userId,
        via: 'http',
        knownSince: timestamp(store.users.firstSeenAtMs(row.userId) ?? action.createdAtMs),
      },
      sentence: assessed.assessment.sentence,
      arguments: visible(canonicalize(action.parameters) ?? '{}'),
      changes: assessed.assessment.changes,
      risk: action.risk,
      history: historyOf(before),
      ...(action.reason === undefined ? {} : { reason: visible(action.reason) }),
      place,
      waiting,
    },
  };
}

/** Control, bidirectional, zero-width and other characters that show nothing become escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, (character) => {
    return character === '\n' ? '\n' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

function historyOf(before: { times: number; lastAtMs: number | null }): string {
  if (before.times === 0 || before.lastAtMs === null) return 'First time';
  return `Allowed ${before.times} ${before.times === 1 ? 'time' : 'times'}, last ${timestamp(before.lastAtMs)}`;
}
