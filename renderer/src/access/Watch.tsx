import { useState } from 'react';
import type { PolicyDiff } from '../../../src/contract/policy.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';

/** What a profile would have done within the last week, before the person lets it apply to anybody. */
export function Watch({ name, model }: { name: string; model: DashboardModel }) {
  const [seen, setSeen] = useState<PolicyDiff | string>();
  const look = async () => {
    const told = await model.client.watchProfile(name);
    setSeen(told.ok ? told.value : told.failure.detail);
  };
  return (
    <>
      <button type="button" aria-label={`Try on the last week: ${name}`} onClick={() => void look()}>
        Try on the last week
      </button>
      <div role="status" className="watched">
        {typeof seen === 'string' ? seen : seen !== undefined && watchSentence(seen)}
        {typeof seen === 'object' && (
          <ul className="rule-rows">
            {seen.newlyAllowed.examples.map((each) => (
              <li key={changeLine(each)}>
                <VisibleText>{changeLine(each)}</VisibleText>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** What a profile would have done within the days that were compared, in one sentence. */
function watchSentence({ days, judged, withoutContents, would, newlyAllowed }: PolicyDiff): string {
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
function changeLine({ count, userId, actionType, sentence }: PolicyDiff['newlyAllowed']['examples'][number]): string {
  return `${count} × ${userId}: ${sentence ?? actionType}`;
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
