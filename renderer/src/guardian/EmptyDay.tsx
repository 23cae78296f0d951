import type { GuardianDashboard } from '../../../src/contract/risk.ts';

/** Nothing was requested in the window. */
export function isEmptyDay({ metrics, insights }: GuardianDashboard): boolean {
  const requested = metrics.find(({ type }) => type === 'action_rate');
  return (requested?.sampleSize ?? 0) === 0 && insights.length === 0;
}

/** Shown while there is nothing to show yet: it says what will appear, and how to see it filled. */
export function EmptyDay({ what }: { what: string }) {
  return (
    <section className="panel empty-day" aria-labelledby="empty-day-title">
      <h2 id="empty-day-title">No actions in the last 24 hours</h2>
      <p>{what} It fills as soon as a program sends its first action.</p>
      <p>
        To see it filled, run <code>npm run demo</code> in the folder of Handrail. It takes about two minutes, with a
        desktop and data of its own. The first calls for your own programs are in the README, and every call is at{' '}
        <a href="/docs">the API page</a>.
      </p>
    </section>
  );
}
