import { expect, test } from 'vitest';
import type { Rig } from '../services/rig.ts';
import { DAY_MS, eveningOf } from './days-rig.ts';
import { TWENTY_DAYS } from './twenty-days.ts';

test.each(TWENTY_DAYS)('Guardian says of $name what a sensible person expects', (expected) => {
  const rig = eveningOf(expected);
  const { risk, warnings, insights } = rig.services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
  const { levels, score = {}, isWarned, isNotified, known = [] } = expected;
  expect(levels, `score ${risk.score}`).toContain(risk.level);
  expect(risk.score).toBeGreaterThanOrEqual(score.from ?? 0);
  expect(risk.score).toBeLessThanOrEqual(score.to ?? 100);
  if (isWarned !== undefined)
    expectAny(isWarned, [
      ...warnings.map(({ message }) => message),
      ...insights.filter(({ severity }) => severity !== 'info' && known.length === 0).map(({ title }) => title),
    ]);
  if (isNotified !== undefined) expectAny(isNotified, notifications(rig));
});

test('the table has at least twenty days', () => {
  expect(new Set(TWENTY_DAYS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

function expectAny(isExpected: boolean, texts: readonly unknown[]): void {
  if (isExpected) expect(texts).not.toEqual([]);
  else expect(texts).toEqual([]);
}

/** The titles of notifications about controls. */
function notifications({ store }: Rig): unknown[] {
  return store.journal
    .readAfter(0, 100_000)
    .filter(({ kind, metadata }) => kind === 'insight.told' && /^(safety|integrity)$/.test(String(metadata?.category)))
    .map(({ metadata }) => metadata?.title);
}
