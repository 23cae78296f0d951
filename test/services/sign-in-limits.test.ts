import { expect, test } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { createLiveSessions } from '../../src/services/sessions/live-sessions.ts';
import { createConsoleSessions } from '../../src/services/sessions/sessions.ts';
import { createSignInCodes } from '../../src/services/sessions/sign-in-codes.ts';
import { createDashboardPrograms } from '../../src/services/targets/dashboard-programs.ts';
import { createFakeClock } from './fake-clock.ts';
import { startServices } from './rig.ts';

const MINUTE_MS = 60_000;
const WRONG = 'AAAA-AAAA';

test('five wrong codes a minute are judged, and the next when the first of them is a minute ago', () => {
  const clock = createFakeClock();
  const codes = createSignInCodes(clock);
  codes.create();
  const isLimited = () => {
    const spent = codes.spend(WRONG);
    return spent.kind !== 'good' && spent.isLimited;
  };
  expect(Array.from({ length: 6 }, isLimited)).toEqual([false, false, false, false, false, true]);
  clock.advance(MINUTE_MS - 1);
  expect(isLimited()).toBe(true);
  clock.advance(1);
  expect(isLimited()).toBe(false);
});

test('a wrong code counts as a typing error only if it is the first since a code was made', () => {
  const codes = createSignInCodes(createFakeClock());
  const isFirst = () => {
    const spent = codes.spend(WRONG);
    return spent.kind !== 'good' && spent.isFirst;
  };
  codes.create();
  expect([isFirst(), isFirst()]).toEqual([true, false]);
  codes.create();
  expect([isFirst(), isFirst()]).toEqual([true, false]);
});

test.each([
  [99, 'spent'],
  [100, 'wrong'],
])('a code after which %i others were made counts as %s', (others, kind) => {
  const codes = createSignInCodes(createFakeClock());
  const code = codes.create();
  for (let count = 0; count < others; count += 1) codes.create();
  expect(codes.spend(code).kind).toBe(kind);
});

test.each([
  [99, 'signed_out'],
  [100, undefined],
])('why a session ended is known until %i others have ended: %s', (others, why) => {
  const live = createLiveSessions(createFakeClock(), createDashboardPrograms(), () => undefined);
  for (let count = 0; count <= others; count += 1) {
    live.open(`digest ${count}`, { id: `ses_${count}`, lineage: [], program: undefined });
    live.end(`digest ${count}`, 'signed_out');
  }
  expect(live.whyEnded('digest 0')).toBe(why);
});

test.each([
  [99, true],
  [100, false],
])('a key after which %i sessions were opened is known as a former one: %s', (others, isKnown) => {
  const sessions = createConsoleSessions({ ...startServices(), newId: (prefix) => prefix, log: console });
  const keys = Array.from({ length: others + 1 }, () => {
    const session = sessions.open(sessions.createCode());
    return isRefusal(session) ? '' : session.key;
  });
  expect(sessions.wasOpen(String(keys[0]))).toBe(isKnown);
});
