import type { Page } from 'playwright';

/** Guardian tells of one requester twice, and of a metric. */
export async function tellMuch(page: Page): Promise<void> {
  const at = new Date().toISOString();
  const insight = (title: string) => ({
    id: title,
    title,
    metricTypes: ['action_retry_rate'],
    category: 'safety',
    severity: 'high',
    detail: 'Look.',
    evidence: [],
    actionable: true,
    firstSeen: at,
    lastSeen: at,
    count: 1,
    status: 'open',
    action: { kind: 'pause_requester', target: 'ann', label: 'Pause ann' },
  });
  await page.route('**/api/guardian/dashboard*', async (route) => {
    const answer = await route.fetch();
    const warnings = [{ metricType: 'action_success_rate', status: 'bad', message: 'Half failed', since: at }];
    const insights = [insight('ann failed 65 times'), insight('ann asked 150 times within a minute')];
    await route.fulfill({ response: answer, json: { ...(await answer.json()), warnings, insights } });
  });
  await page.reload();
}
