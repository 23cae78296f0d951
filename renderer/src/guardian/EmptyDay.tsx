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
      <p>{what} It fills with the first action of a program.</p>
      <p>
        To look around first, run <code>npm run demo</code>: two minutes, on a desktop of its own. To connect a program,
        see <a href="#/requests">Requests</a> or <a href="/docs">the API page</a>.
      </p>
    </section>
  );
}
