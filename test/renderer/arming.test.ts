import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createArming } from '../../renderer/src/prompt/arming.ts';
import type { Failure, Reply } from '../../src/client/call.ts';
import type { RiskLevel } from '../../src/contract/action.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Report = Reply<{ shownAt?: string; answerableAt?: string }>;

const AT = '2026-05-04T10:00:00.000Z';
const later = (durationMs: number) => new Date(Date.parse(AT) + durationMs).toISOString();

function rig(
  level: RiskLevel = 'medium',
  answer: () => Report = () => ({ ok: true, value: { shownAt: AT, answerableAt: AT } }),
  wasDeniable = false,
) {
  const refused: Failure[] = [];
  const reports: number[] = [];
  const onScreenMs: number[] = [];
  const arming = createArming({
    level,
    wasDeniable,
    report: async (totalMs) => {
      reports.push(Date.now());
      onScreenMs.push(totalMs);
      return answer();
    },
    onRefused: (failure) => refused.push(failure),
  });
  /** The person looks at it, and all of it is on the screen. */
  const show = () => {
    arming.attend(true);
    arming.seen();
  };
  return { arming, show, refused, reports, onScreenMs };
}

const pass = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);

test('nothing can be answered while nobody looks', async () => {
  const { arming, reports } = rig();
  arming.seen();
  await pass(10_000);
  expect(arming.get()).toEqual({ state: 'away' });
  expect(reports).toEqual([]);
});

test('a prompt that could be denied before a fact was added can be denied at once, but allowed only after its time', async () => {
  const { arming } = rig('medium', undefined, true);
  arming.attend(true);
  expect(arming.get()).toEqual({ state: 'partly seen', canDeny: true });
  arming.seen();
  await pass(999);
  expect(arming.get()).toMatchObject({ state: 'waiting', canDeny: true });
  await pass(1);
  expect(arming.get()).toEqual({ state: 'alive', canDeny: true });
  arming.attend(false);
  arming.attend(true);
  expect(arming.get()).toMatchObject({ canDeny: false });
});

test('it is reported as shown only once all of it was on screen; denying is possible before', async () => {
  const { arming, reports } = rig();
  arming.attend(true);
  expect(arming.get()).toEqual({ state: 'partly seen', canDeny: false });
  await pass(400);
  expect(arming.get()).toEqual({ state: 'partly seen', canDeny: true });
  await pass(60_000);
  expect(reports).toEqual([]);
  arming.seen();
  await pass(0);
  expect(arming.get()).toEqual({ state: 'waiting', canDeny: true, delayMs: 1_000 });
});

test.each([
  ['low', 1_000],
  ['medium', 1_000],
  ['high', 2_000],
  ['critical', 2_000],
] as const)('at %s risk allow is dead for %i ms after it was shown', async (level, delayMs) => {
  const { arming, show } = rig(level);
  show();
  await pass(delayMs - 1);
  expect(arming.get()).toEqual({ state: 'waiting', canDeny: true, delayMs });
  await pass(1);
  expect(arming.get()).toEqual({ state: 'alive', canDeny: true });
});

test('a longer delay of the daemon counts', async () => {
  const { arming, show } = rig('medium', () => ({ ok: true, value: { shownAt: AT, answerableAt: later(3_000) } }));
  show();
  await pass(2_999);
  expect(arming.get()).toMatchObject({ state: 'waiting' });
  await pass(1);
  expect(arming.get()).toMatchObject({ state: 'alive' });
});

test('whoever looks away and comes back waits again, and it is reported again', async () => {
  const { arming, show, reports } = rig();
  show();
  await pass(1_000);
  arming.attend(false);
  expect(arming.get()).toEqual({ state: 'away' });
  arming.attend(true);
  expect(arming.get()).toEqual({ state: 'reporting', canDeny: false });
  await pass(999);
  expect(arming.get()).toMatchObject({ state: 'waiting' });
  await pass(1);
  expect(arming.get()).toMatchObject({ state: 'alive' });
  expect(reports).toHaveLength(2);
});

test('a report that comes back after the person has looked away starts nothing', async () => {
  const answered = Promise.withResolvers<Report>();
  const arming = createArming({ level: 'low', report: () => answered.promise, onRefused: () => undefined });
  arming.attend(true);
  arming.seen();
  arming.attend(false);
  answered.resolve({ ok: true, value: { shownAt: AT, answerableAt: AT } });
  await pass(5_000);
  expect(arming.get()).toEqual({ state: 'away' });
});

test('a daemon that does not answer is told again', async () => {
  let answers = 0;
  const { arming, show, reports } = rig('medium', () => {
    answers += 1;
    if (answers === 1) return { ok: false, failure: { code: 'unreachable', detail: 'gone' } };
    return { ok: true, value: {} };
  });
  show();
  await pass(999);
  expect(arming.get()).toEqual({ state: 'reporting', canDeny: true });
  await pass(1 + 1_000);
  expect(arming.get()).toEqual({ state: 'alive', canDeny: true });
  expect(reports).toHaveLength(2);
});

test('a prompt that is over stays dead, and says so', async () => {
  const failure: Failure = { code: 'confirmation_expired', detail: 'It expired.' };
  const { arming, show, refused, reports } = rig('medium', () => ({ ok: false, failure }));
  show();
  await pass(30_000);
  expect({ refused, state: arming.get().state, reports: reports.length }).toEqual({
    refused: [failure],
    state: 'reporting',
    reports: 1,
  });
});

test('an answer that came too early starts it anew', async () => {
  const { arming, show, reports } = rig();
  show();
  await pass(1_000);
  arming.restart();
  expect(arming.get()).toEqual({ state: 'reporting', canDeny: false });
  await pass(1_000);
  expect(arming.get()).toMatchObject({ state: 'alive' });
  expect(reports).toHaveLength(2);
});

test('when the answers have moved on the screen allow is dead for a moment, and never shorter than it was to be', async () => {
  const { arming, show, reports } = rig();
  show();
  await pass(500);
  arming.moved();
  await pass(499);
  expect(arming.get()).toMatchObject({ state: 'waiting' });
  await pass(1);
  expect(arming.get()).toEqual({ state: 'alive', canDeny: true });
  arming.moved();
  expect(arming.get()).toEqual({ state: 'waiting', canDeny: true, delayMs: 400 });
  await pass(300);
  arming.moved();
  await pass(399);
  expect(arming.get()).toMatchObject({ state: 'waiting' });
  await pass(1);
  expect(arming.get()).toEqual({ state: 'alive', canDeny: true });
  expect(reports).toHaveLength(1);
});

test('moving brings nothing to life', async () => {
  const { arming } = rig();
  arming.moved();
  expect(arming.get()).toEqual({ state: 'away' });
  arming.attend(true);
  arming.moved();
  await pass(5_000);
  expect(arming.get()).toEqual({ state: 'partly seen', canDeny: true });
});

test('the report says how long the prompt was in front of the person, without the times they were away', async () => {
  const { arming, onScreenMs } = rig();
  await pass(7_000);
  arming.attend(true);
  await pass(3_000);
  arming.attend(false);
  await pass(60_000);
  arming.attend(true);
  await pass(500);
  arming.seen();
  await pass(2_000);
  arming.attend(false);
  arming.attend(true);
  expect(onScreenMs).toEqual([3_500, 5_500]);
});
