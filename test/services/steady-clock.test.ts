import { expect, vi } from 'vitest';
import { createSteadyClock } from '../../src/services/steady-clock.ts';
import { answerFirst } from './answers.ts';
import { actionIn, done, type Rig, startServices, test } from './rig.ts';
import { createFakeComputer, type FakeComputer } from './steady-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

type Started = Rig & FakeComputer;

function start(): Started {
  const computer = createFakeComputer();
  const rig = startServices({ clock: computer.clock });
  computer.clock.observedBy(rig.services.clockLeapt);
  return { ...rig, ...computer };
}

test.each([YEAR_MS, DAY_MS, HOUR_MS, -HOUR_MS, -DAY_MS, -YEAR_MS])('ignores a leap of %i ms', (leapMs) => {
  const { clock, leap } = createFakeComputer();
  const beganMs = clock.nowMs();
  clock.advance(1_000);
  leap(leapMs);
  expect([clock.nowMs() - beganMs, clock.aheadMs()]).toEqual([1_000, leapMs]);
  clock.advance(5_000);
  leap(-leapMs);
  expect([clock.nowMs() - beganMs, clock.aheadMs()]).toEqual([6_000, 0]);
});

test.each([
  [2_000, 2_000],
  [2_001, 0],
  [-2_000, -2_000],
  [-2_001, 0],
])('of a step by %i ms it follows %i ms: small steps keep the time right', (stepMs, followedMs) => {
  const { clock, leap } = createFakeComputer();
  const beganMs = clock.nowMs();
  leap(stepMs);
  expect(clock.nowMs() - beganMs).toBe(followedMs);
});

test('follows the time for which the computer slept, also where its clock was set meanwhile', () => {
  const { clock, leap, sleep } = createFakeComputer();
  const beganMs = clock.nowMs();
  sleep(HOUR_MS);
  expect([clock.nowMs() - beganMs, clock.aheadMs()]).toEqual([HOUR_MS, 0]);
  sleep(HOUR_MS);
  leap(DAY_MS);
  expect([clock.nowMs() - beganMs, clock.aheadMs()]).toEqual([2 * HOUR_MS, DAY_MS]);
});

test('follows a sleep where the monotonic clock counts it, too', () => {
  const { clock, wallMs } = createFakeComputer();
  clock.advance(HOUR_MS);
  expect(clock.nowMs()).toBe(wallMs());
});

test('the clock of this computer tells its time', () => {
  const beforeMs = Date.now();
  const nowMs = createSteadyClock().nowMs();
  expect(nowMs).toBeGreaterThanOrEqual(beforeMs);
  expect(nowMs).toBeLessThanOrEqual(Date.now());
});

test('T1: a leap is in the journal, with the time that the computer told then', () => {
  const rig = start();
  rig.leap(DAY_MS);
  const wallMs = rig.wallMs();
  rig.clock.advance(0);
  rig.clock.nowMs();
  rig.clock.advance(0);
  const leaps = rig.store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'daemon.clock_leapt');
  expect(leaps.map(({ metadata }) => metadata)).toEqual([{ byMs: DAY_MS, wallMs }]);
});

test('T1: a leap is found also while nothing happens', () => {
  const rig = start();
  rig.leap(-HOUR_MS);
  rig.clock.advance(3_000);
  expect(rig.kinds()).toContain('daemon.clock_leapt');
});

test.each([HOUR_MS, DAY_MS, -HOUR_MS, -YEAR_MS])(
  'T1: a grant for 15 minutes lasts them over a leap of %i ms',
  async (leapMs) => {
    const rig = start();
    await rig.submitted({ actionType: 'TakeScreenshot' });
    expect(answerFirst(rig, 'allow', 'minutes15')).toMatchObject({ status: 'running' });
    await rig.agent.answer(done());
    rig.leap(leapMs);
    rig.clock.advance(14 * MINUTE_MS);
    expect((await rig.submitted({ actionType: 'TakeScreenshot' })).status).toBe('running');
    rig.clock.advance(2 * MINUTE_MS);
    expect((await rig.submitted({ actionType: 'TakeScreenshot' })).status).toBe('awaiting_confirmation');
  },
);

test.each([YEAR_MS, HOUR_MS, -HOUR_MS])(
  'T1: a prompt lasts its 90 s over a leap of %i ms, and the page counts them',
  async (leapMs) => {
    const rig = start();
    await rig.submitted({ actionType: 'TakeScreenshot' });
    rig.leap(leapMs);
    rig.clock.advance(30_000);
    const [prompt] = rig.services.console.confirmations.list();
    expect(Date.parse(prompt?.expiresAt ?? '') - rig.wallMs()).toBe(60_000);
    rig.clock.advance(60_000);
    expect(rig.services.console.confirmations.list()).toEqual([]);
  },
);

test('T1: a used idempotency key does not run again after a leap of a day', async () => {
  const rig = start();
  const once = () =>
    rig.submit({ actionType: 'Wait', parameters: { durationMs: 1 } }, { idempotencyKey: 'k', waitMs: 0 });
  const first = await once();
  rig.leap(25 * HOUR_MS);
  rig.clock.advance(2 * MINUTE_MS);
  expect(await once()).toMatchObject({ replayed: true, action: { actionId: actionIn(first).action.actionId } });
});

test('T1: two minutes a year ahead delete nothing', async () => {
  const rig = start();
  const { actionId } = await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 1 } });
  await rig.agent.answer(done());
  rig.leap(YEAR_MS);
  await swept(rig);
  rig.leap(-YEAR_MS);
  await swept(rig);
  expect(rig.store.actions.findById(actionId)).toMatchObject({ parameters: { durationMs: 1 } });
});

test('T1: a start under a clock that is a year ahead deletes no more than a day would have', async ({ rig }) => {
  const wait = { actionType: 'Wait', parameters: { durationMs: 1 } } as const;
  const { actionId: old } = await rig.submitted(wait);
  await rig.agent.answer(done());
  rig.clock.setWallClock(rig.clock.nowMs() + 89.5 * DAY_MS);
  const { actionId: recent } = await rig.submitted(wait);
  await rig.agent.answer(done());
  await swept(rig);
  rig.clock.setWallClock(rig.clock.nowMs() + YEAR_MS);
  const ahead = rig.crashAndRestart();
  await swept(ahead);
  const isKept = (id: string) => ahead.store.actions.findById(id) !== undefined;
  expect([isKept(old), isKept(recent)]).toEqual([false, true]);
  // It catches up by a day for each hour.
  ahead.clock.advance(87 * HOUR_MS);
  await swept(ahead);
  expect(isKept(recent)).toBe(true);
  ahead.clock.advance(3 * HOUR_MS);
  await swept(ahead);
  expect(isKept(recent)).toBe(false);
});

/** More than a pass takes to end, which reads no file then. */
const TURNS_AFTER_PRUNE = 10;

/** Goes on by two minutes, after which everything old is swept: a pass of an earlier minute may have to end first. */
async function swept({ clock, store }: Rig): Promise<void> {
  // The last step of a pass.
  const prune = vi.spyOn(store.recording, 'prune');
  for (const passes of [1, 2]) {
    clock.advance(MINUTE_MS);
    while (prune.mock.calls.length < passes) await new Promise(setImmediate);
    for (let turn = 0; turn < TURNS_AFTER_PRUNE; turn += 1) await new Promise(setImmediate);
  }
  prune.mockRestore();
}
