import { expect, test } from 'vitest';
import { COST_LOADS, type CostLoad, measureCost } from '../bench/cost-figures.ts';

const PATIENT = { timeout: 120_000 };
/** For a machine with much else to do; the goals on a free one are those of the bench. */
const MOST = { p99Ms: 1_000, slowestMs: 2_000, promptMs: 1_000, stopMs: 1_000 };

test.each([
  ['names', '413'],
  ['plans', '202'],
  ['lists', '200'],
  ['references', '202'],
  ['waits', '202'],
] as const)('D1: the person does not wait long under the load %s', PATIENT, async (load, status) => {
  await expectSoonAnswers(load, status);
});

test(
  'D4: the person does not wait long for anything while many ids send scripts with paths of 60 kB',
  PATIENT,
  async () => {
    await expectSoonAnswers('scripts', '202');
  },
);

/** `status` is the answer that the calls of the load must get: another one would mean a cheaper load. */
async function expectSoonAnswers(load: CostLoad, status: string): Promise<void> {
  const { rounds, stopMs, statuses } = await measureCost(load, { rounds: 1, roundMs: 4_000 });
  expect(statuses[status], COST_LOADS[load]).toBeGreaterThan(0);
  for (const [name, mostMs] of Object.entries(MOST)) {
    const figures: Record<string, number> = { ...rounds[0], stopMs };
    expect(figures[name], `${COST_LOADS[load]}: ${name}`).toBeLessThan(mostMs);
  }
}
