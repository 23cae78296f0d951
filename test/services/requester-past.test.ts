import { expect } from 'vitest';
import { startOfDay } from '../../src/guardian/metrics/local-time.ts';
import { createRequesterPast } from '../../src/services/guardian/requester-lines.ts';
import { done, test } from './rig.ts';

const DAY_MS = 86_400_000;

test('the days before today and before yesterday are gone through once, and again after they were forgotten', async ({
  rig,
}) => {
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 1 } });
  await rig.agent.answer(done());
  rig.clock.advance(2 * DAY_MS);
  let asked = 0;
  const past = createRequesterPast(rig, () => {
    asked += 1;
    return false;
  });
  const today = startOfDay(rig.clock.nowMs());
  const look = () => [today, startOfDay(today - DAY_MS / 2)].map((dayMs) => past.before(dayMs).size);
  expect([look(), asked]).toEqual([[1, 1], 2]);
  expect([look(), asked]).toEqual([[1, 1], 2]);
  past.forget();
  expect([look(), asked]).toEqual([[1, 1], 4]);
});
