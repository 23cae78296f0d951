import type { PolicyDiff } from '../../../src/contract/policy.ts';

/** What a profile would have done within the days that were compared, in one sentence. */
export function watchSentence({ days, judged, withoutContents, would, newlyAllowed }: PolicyDiff): string {
  if (judged === 0) return `Nobody has asked for anything in the last ${days} days.`;
  const all = `Of ${times(judged, 'action')} in the last ${days} days it would have asked ${times(would.ask, 'time')} and blocked ${would.block}.`;
  const allowed = newlyAllowed.count === 0 ? 'It allows nothing new.' : `Newly allowed: ${newlyAllowed.count}.`;
  const old =
    withoutContents === 0
      ? ''
      : ` ${withoutContents} of them are judged by type, risk and time only: their apps and paths are no longer kept.`;
  return `${all} ${allowed}${old}`;
}

/** Actions that get another verdict, in a line. */
export function changeLine({
  count,
  userId,
  actionType,
  sentence,
}: PolicyDiff['newlyAllowed']['examples'][number]): string {
  return `${count} × ${userId}: ${sentence ?? actionType}`;
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
