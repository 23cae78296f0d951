import { expect, test } from 'vitest';
import type { Batch } from './day-journal.ts';
import { DAY_MS, eveningOf } from './days-rig.ts';

const HANDS: Batch = {
  ...{ atHour: 9.05, count: 16, everyMs: 90_000, type: 'ClickElement', risk: 'high', irreversible: true },
  ...{ answer: 'allowed', afterMs: 7_000, userId: 'mcp:claude-code' },
};
const LOOKS: Batch = { atHour: 9.05, count: 5, everyMs: 200_000, type: 'DescribeScreen', userId: 'mcp:claude-code' };

/** The dashboard after the first half hour of a desktop. */
function afterHalfAnHour(...batches: Batch[]) {
  const day = { upFromHour: 9, upToHour: 9.5, batches: [LOOKS, ...batches], tasks: [], others: [] };
  return eveningOf({ before: 'none', day }).services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
}

test('what the person approved one by one on a first day leaves the risk moderate, and nothing offers to pause', () => {
  const { risk, insights, warnings } = afterHalfAnHour(HANDS);
  expect(risk.level, JSON.stringify(risk.contributors)).toBe('moderate');
  const steps = [...risk.contributors, ...insights].map(({ action }) => action?.kind);
  expect(steps).toContain('inspect');
  expect(steps).not.toContain('pause_requester');
  expect(insights.map(({ severity }) => severity)).not.toContain('high');
  expect(warnings.map(({ status }) => status)).not.toContain('bad');
});

test('the same actions under a grant are a high risk on a first day, too', () => {
  const { answer: _answer, afterMs: _afterMs, ...unasked } = HANDS;
  const { risk, insights } = afterHalfAnHour({ ...unasked, by: 'grant' });
  expect(risk.level).toBe('high');
  expect(insights.map(({ action }) => action?.kind)).toContain('pause_requester');
});
