import { expect, it } from 'vitest';
import type { Rig } from './rig.ts';
import { done, startServices } from './rig.ts';

it('journals when the agent becomes ready and when it stops being it, each once', () => {
  const rig = startServices();
  for (const status of ['online', 'online', 'offline', 'offline', 'online'] as const) rig.agent.become(status);
  expect(readiness(rig)).toEqual([true, false, true]);
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

function readiness(rig: Rig): unknown[] {
  const rows = rig.store.journal.readAfter(0, 1_000);
  return rows.filter(({ kind }) => kind === 'agent.readiness').map(({ metadata }) => metadata?.ready);
}
