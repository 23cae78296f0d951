import { expect, test } from 'vitest';
import { COST_LOADS, type CostLoad, measureCost } from '../bench/cost-figures.ts';

const PATIENT = { timeout: 120_000 };
/** Far from the goals, which are those of `npm run bench -- cost`: only a person who waits as long as the load lasts is a failure here. */
const MOST = { p99Ms: 4_000, slowestMs: 8_000, promptMs: 4_000, stopMs: 4_000 };

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
