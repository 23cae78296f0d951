import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Viewer } from '../../src/services/guardian/viewer.ts';
import { firstPrompt } from './answers.ts';
import type { Rig } from './rig.ts';
import { done, startServices } from './rig.ts';

it('journals when the agent becomes ready and when it stops being it, each once', () => {
  const rig = startServices();
  for (const status of ['online', 'online', 'offline', 'offline', 'online'] as const) rig.agent.become(status);
  expect(readiness(rig)).toEqual([true, false, true]);
});

it('journals each time the screen is locked and unlocked, and what waits for a person then has expired', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const { actionId } = await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
  for (const now of ['unlocked', 'locked', 'locked', 'unlocked'] as const) rig.services.screen(now);
  expect(rig.kinds().filter((kind) => kind.startsWith('screen.'))).toEqual(['screen.locked', 'screen.unlocked']);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({
    status: 'expired',
    details: 'The screen was locked before a person answered; nothing was done.',
  });
});

it('counts an action from its request to its end', async () => {
  const rig = startServices();
  rig.agent.become('online');
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 5 } });
  rig.clock.advance(1_500);
  await rig.agent.answer(done());
  const toMs = Math.ceil(rig.clock.nowMs() / 60_000) * 60_000;
  const recorded = rig.store.recording.recorded({ fromMs: toMs - 60_000, toMs }, rig.clock.nowMs());
  expect(recorded.rollup).toMatchObject({
    counters: { requested: 1, requestedLow: 1, requestedAllowed: 1, novel: 1, executed: 1, succeeded: 1, failed: 0 },
    slowestMs: 1_500,
    types: { Wait: 1 },
  });
});

it('keeps what an action is about out of the journal, and still tells two targets apart', async () => {
  const rig = startServices();
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'Zinnober' } });
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'Mauve' } });
  const rows = rig.store.journal.readAfter(0, 1_000);
  expect(JSON.stringify(rows)).not.toMatch(/zinnober|mauve/i);
  const targets = rows.filter(({ kind }) => kind === 'action.requested').map(({ metadata }) => metadata?.target);
  expect(new Set(targets).size).toBe(2);
});

it('journals that an agent will not be restarted, even if it never was ready, and that it is started again', () => {
  const rig = startServices();
  for (const status of ['starting', 'offline', 'offline', 'starting'] as const) rig.agent.become(status);
  const rows = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'agent.readiness');
  expect(rows.map(({ metadata }) => metadata)).toEqual([
    { ready: false, offline: true, missing: [] },
    { ready: false, offline: false, missing: [] },
  ]);
});

function readiness(rig: Rig): unknown[] {
  const rows = rig.store.journal.readAfter(0, 1_000);
  return rows.filter(({ kind }) => kind === 'agent.readiness').map(({ metadata }) => metadata?.ready);
}

it('holds the risk at 90 or more once the journal failed a check', async () => {
  const { services, store, clock, agent } = startServices();
  agent.become('online');
  const database = new Database(`${store.path}/handrail.db`);
  database.exec(`DROP TRIGGER journal_is_never_updated; UPDATE journal SET kind = 'daemon.paused' WHERE seq = 1`);
  database.close();
  expect(await services.console.verifyAudit()).toMatchObject({ valid: false, brokenAt: 1 });
  clock.advance(60_000);
  const dashboard = services.guardian.dashboard({ kind: 'nobody' }, { lengthMs: 86_400_000 });
  expect(dashboard.risk).toMatchObject({
    score: 90,
    level: 'critical',
    contributors: [{ metricType: 'control_violations' }],
  });
  expect(dashboard.insights.map(({ severity, category }) => [severity, category])).toEqual([['critical', 'integrity']]);
  expect(dashboard.warnings.map(({ metricType, status }) => [metricType, status])).toEqual([
    ['control_violations', 'bad'],
  ]);
});

it('shows an insight with the actions it is about, and with something to do about it', async () => {
  const { services, clock, agent, submitted } = startServices();
  agent.become('online');
  const asked: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    asked.push((await submitted({ actionType: 'TakeScreenshot', parameters: {} })).actionId);
    const prompt = firstPrompt({ services });
    const { id, nonce, actionDigest } = prompt;
    services.console.confirmations.decide(id, { decision: 'deny', scope: 'once', nonce, actionDigest });
    clock.advance(600_000);
  }
  const about = (viewer: Viewer) =>
    services.guardian
      .insights(viewer, { category: ['safety'], severity: ['info'], limit: 10 })
      .filter(({ metricTypes }) => metricTypes.includes('denied_action_share'))
      .map(({ title, evidence, action }) => ({ title, evidence, target: action?.target }));
  const evidence = asked.toReversed();
  expect(about({ kind: 'person' })).toEqual([
    { title: 'You denied the last 3 prompts of ann', evidence, target: 'ann' },
  ]);
  const [{ target } = {}] = about({ kind: 'nobody' });
  expect(target).toMatch(/^user-[0-9a-f]{4}$/);
});
