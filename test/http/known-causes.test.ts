import { expect } from 'vitest';
import type { RiskSummary } from '../../src/contract/risk.ts';
import { startWhole, test, type WholeRig } from './whole-rig.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PATH = '/api/console/guardian/known-causes';

test('a cause that the person marks as known adds nothing until its end, over a restart too', async ({ rig }) => {
  const person = await rig.signIn();
  tryAgentTokens(rig);
  expect(await risk(rig)).toMatchObject({ score: 70, contributors: [{ cause: 'controls_held' }], known: [] });
  expect(await warned(rig)).toEqual(['control_violations']);
  const until = new Date(rig.clock.nowMs() + HOUR_MS).toISOString();
  const marked = await rig.call(`PUT ${PATH}/controls_held`, { headers: person, body: { until } });
  const known = { cause: 'controls_held', markedAt: new Date(rig.clock.nowMs()).toISOString(), until };
  expect([marked.status, marked.body]).toEqual([200, known]);
  const next = await rig.restart();
  expect(await risk(next)).toMatchObject({ score: 0, contributors: [], known: [known] });
  expect(await warned(next)).toEqual([]);
  const causes = async () => (await risk(next)).contributors.map(({ cause }) => cause);
  next.clock.advance(HOUR_MS - 1);
  expect(await causes()).not.toContain('controls_held');
  next.clock.advance(1);
  expect(await causes()).toContain('controls_held');
  expect((await risk(next)).known).toEqual([]);
  const told = next.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind.startsWith('risk.'));
  expect(told).toMatchObject([
    { kind: 'risk.cause_known', metadata: { cause: 'controls_held', untilMs: Date.parse(until) } },
  ]);
});

test('the person can let a cause count again before its end', async ({ rig }) => {
  const person = await rig.signIn();
  tryAgentTokens(rig);
  const until = new Date(rig.clock.nowMs() + DAY_MS).toISOString();
  await rig.call(`PUT ${PATH}/controls_held`, { headers: person, body: { until } });
  expect((await rig.call(`GET ${PATH}`, { headers: person })).body).toMatchObject({
    items: [{ cause: 'controls_held' }],
  });
  const unmark = () => rig.call(`DELETE ${PATH}/controls_held`, { headers: person });
  expect([(await unmark()).status, (await unmark()).status]).toEqual([204, 404]);
  expect(await risk(rig)).toMatchObject({ score: 70, known: [] });
  expect(rig.store.journal.readAfter(0, 1_000).map(({ kind }) => kind)).toContain('risk.cause_counts');
});

test('the end of a mark is later than now, and at most 90 days from now', async ({ rig }) => {
  const person = await rig.signIn();
  const status = async (inMs: number) => {
    const until = new Date(rig.clock.nowMs() + inMs).toISOString();
    return (await rig.call(`PUT ${PATH}/action_rate`, { headers: person, body: { until } })).status;
  };
  expect([await status(0), await status(1), await status(90 * DAY_MS), await status(90 * DAY_MS + 1)]).toEqual([
    400, 200, 200, 400,
  ]);
  const other = { headers: person, body: { until: new Date(rig.clock.nowMs() + 1).toISOString() } };
  expect((await rig.call(`PUT ${PATH}/no_such_cause`, other)).status).toBe(400);
});

test('a control that fails after failed controls were marked as known makes the risk critical again', async () => {
  const rig = await startWhole();
  const person = await rig.signIn();
  failControl(rig);
  expect((await risk(rig)).score).toBe(90);
  const until = new Date(rig.clock.nowMs() + DAY_MS).toISOString();
  await rig.call(`PUT ${PATH}/control_violations`, { headers: person, body: { until } });
  expect(await risk(rig)).toMatchObject({ score: 0, contributors: [] });
  failControl(rig);
  expect(await risk(rig)).toMatchObject({ score: 90, contributors: [{ cause: 'control_violations' }] });
  rig.clock.advance(2 * HOUR_MS);
  expect((await risk(rig)).score).toBeGreaterThanOrEqual(90);
});

/** The metrics that the dashboard warns of. */
async function warned(rig: WholeRig): Promise<unknown[]> {
  const { warnings } = (await rig.call('GET /api/guardian/dashboard')).body as { warnings: { metricType: unknown }[] };
  return warnings.map(({ metricType }) => metricType).filter((type) => type !== null);
}

async function risk(rig: WholeRig) {
  return (await rig.call('GET /api/guardian/dashboard')).body.risk as RiskSummary;
}

/** Ten tokens that no agent has. */
function tryAgentTokens({ store, clock }: WholeRig): void {
  const metadata = { code: 'agent_token_invalid', count: 10 };
  store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: 'request.refused', metadata }));
}

function failControl({ store, clock }: WholeRig): void {
  store.write('durable', () =>
    store.journal.append(clock.nowMs(), { kind: 'journal.broken', metadata: { reason: null } }),
  );
}
