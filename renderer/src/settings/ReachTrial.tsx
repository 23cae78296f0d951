import { useState } from 'react';
import type { ReachTrials } from '../../../src/contract/reach.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** Calls the person once in every way that the daemon has, and says what happened. */
export function ReachTrial({ model }: { model: DashboardModel }) {
  const [trials, setTrials] = useState<ReachTrials>();
  const [isBusy, setBusy] = useState(false);
  const tryOut = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await model.client.tryToReach();
    if (answer.ok) setTrials(answer.value);
    else model.notices.outcome(answer);
    setBusy(false);
  };
  return (
    <section className="section" aria-labelledby="reach-title">
      <h2 id="reach-title">When this page is closed</h2>
      <p className="hint">
        Handrail shows a notification on your desktop. To ring your phone, set <code>HANDRAIL_NOTIFY</code> to a program
        or an address. It gets “Handrail needs you” and nothing else. None of them can answer a request.
      </p>
      <div className="field-row">
        <button type="button" aria-disabled={isBusy} onClick={() => void tryOut()}>
          {isBusy ? 'Trying…' : 'Try it'}
        </button>
        <div role="status">{trials !== undefined && trialLines(trials).map((line) => <p key={line}>{line}</p>)}</div>
      </div>
    </section>
  );
}

function trialLines({ items }: ReachTrials): string[] {
  if (items.length === 0) return ['Nothing is set up: Handrail has no desktop and no HANDRAIL_NOTIFY.'];
  return items.map(({ channel, problem }) => `${NAMES[channel]}: ${problem ?? 'done.'}`);
}

const NAMES = { desktop: 'Desktop notification', hook: 'HANDRAIL_NOTIFY' };
