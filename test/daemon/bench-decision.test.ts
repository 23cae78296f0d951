import { expect, test } from 'vitest';
import { benchDecisionPath } from '../bench/decision.ts';
import { createReport } from '../bench/report.ts';

test('the bench of the decision path gets the verdict that each of its actions is named after', async () => {
  const lines: string[] = [];
  const report = createReport((line) => void lines.push(line));
  await benchDecisionPath(report, { measured: 2, warmUp: 1 });
  expect(lines.filter((line) => line.includes('added at p50  '))).toHaveLength(6);
  expect(lines.filter((line) => line.includes('rows: actions 1'))).toHaveLength(5);
});
