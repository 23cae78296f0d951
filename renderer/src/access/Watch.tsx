import { useState } from 'react';
import type { PolicyDiff } from '../../../src/contract/policy.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { changeLine, watchSentence } from './watch-words.ts';

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
