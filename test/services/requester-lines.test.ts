import { expect } from 'vitest';
import { done, type Rig, startServices, test } from './rig.ts';

const PERSON = { kind: 'person' } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test('the line of a requester says what it did today, and what it did at most on its days before', async ({ rig }) => {
  await live(rig, 5, 2);
  await waited(rig, 3);
  const [line] = rig.services.guardian.requesters(PERSON);
  expect(line?.hours.at(-1)).toBe(3);
  expect(line?.hours.slice(0, -1).every((requests) => requests === 0)).toBe(true);
  expect(rig.services.guardian.requesters(PERSON)).toEqual([
    {
      requester: 'ann',
      words: 'ann: 3 requests, today',
      did: '3 requests',
      hours: expect.any(Array),
      before: 'on 5 days up to 2 requests, 0 high-risk actions, 1 new target a day',
      isUnusual: false,
    },
  ]);
  expect(rig.services.guardian.requesters({ kind: 'nobody' })[0]?.requester).toMatch(/^user-/);
});

test('a requester that goes wild is told on its first such day, in the risk too, and again while it goes on', async () => {
  const rig = startServices();
  await live(rig, 6, 3);
  for (const _ of [1, 2, 3]) {
    await waited(rig, 40);
    const { insights, risk } = dashboard(rig);
    expect(insights).toMatchObject([{ severity: 'warning', title: 'ann: 40 requests, today', status: 'open' }]);
    expect(risk.level).toBe('moderate');
    expect(risk.contributors[0]).toMatchObject({ cause: 'requesters', source: { name: 'ann' } });
    nextDay(rig);
  }
});

test('what was unusual yesterday is told until the next day is over', async ({ rig }) => {
  await live(rig, 6, 3);
  await waited(rig, 40);
  nextDay(rig);
  expect(dashboard(rig).insights).toMatchObject([{ title: 'ann: 40 requests, yesterday', status: 'open' }]);
  nextDay(rig);
  expect(dashboard(rig).insights).toMatchObject([{ status: 'resolved' }]);
});

test('a window that is over keeps what was told at its end, in its score, its words and the history of later windows', async () => {
  const rig = startServices();
  await live(rig, 6, 3);
  await waited(rig, 40);
  const { risk: seen } = dashboard(rig);
  const toMs = Math.floor(rig.clock.nowMs() / MINUTE_MS + 1) * MINUTE_MS;
  for (const _ of [1, 2, 3]) {
    nextDay(rig);
    dashboard(rig);
  }
  const { guardian } = rig.crashAndRestart().services;
  const { risk: then } = guardian.dashboard(PERSON, { fromMs: toMs - DAY_MS, toMs });
  expect(seen.score).toBeGreaterThan(20);
  expect([then.score, then.history.at(-1)?.score]).toEqual([seen.score, seen.score]);
  expect(then.contributors[0]?.message).toBe('ann: 40 requests, today.');
  const { history } = guardian.dashboard(PERSON, { fromMs: toMs - 20 * HOUR_MS, toMs: toMs + 4 * HOUR_MS }).risk;
  expect(history.at(-2)?.score).toBeGreaterThan(20);
});

test('a day that the person expects is usual from then on, over restarts too', async ({ rig }) => {
  await live(rig, 6, 3);
  for (const _ of [1, 2, 3]) {
    await waited(rig, 40);
    const [insight] = dashboard(rig).insights;
    rig.services.guardian.acknowledge(insight?.id ?? '');
    nextDay(rig);
  }
  const next = rig.crashAndRestart();
  await waited(next, 40);
  expect(dashboard(next).insights.filter(({ status }) => status === 'open')).toEqual([]);
});

test('the prompt says what its requester did before today', async ({ rig }) => {
  await live(rig, 5, 2);
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
  const [waiting] = rig.services.console.confirmations.list();
  const prompt = rig.services.console.confirmations.get(waiting?.id ?? '');
  expect(prompt).toMatchObject({
    prompt: { requester: { before: 'on 5 days up to 2 requests, 0 high-risk actions, 1 new target a day' } },
  });
});

/** No timer needs to run meanwhile. */
function nextDay({ clock }: Rig): void {
  clock.setWallClock(clock.nowMs() + DAY_MS);
}

/** Lives some days with some actions each. */
async function live(rig: Rig, days: number, actions: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await waited(rig, actions);
    nextDay(rig);
  }
}

async function waited(rig: Rig, times: number): Promise<void> {
  rig.agent.become('online');
  for (let count = 0; count < times; count += 1) {
    const answer = rig.submit({ parameters: { durationMs: count + 1 } });
    await new Promise(setImmediate);
    await rig.agent.answer(done());
    await answer;
    rig.clock.advance(30_000);
  }
}

function dashboard(rig: Rig) {
  return rig.services.guardian.dashboard(PERSON, { lengthMs: DAY_MS });
}
