import { COST_LOADS, type CostLoad, measureCost, type Round } from './cost-figures.ts';
import { type OpenScreen, startScreens } from './cost-screen.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const ROUNDS = shortened(3);
const ROUND_MS = 3_000;
/** How many calls a load of limited length has. */
const CALLS: Partial<Record<CostLoad, number>> = { plans: 80, waits: 100 };

/** How long the person waits while requesters send the calls that cost the most. The daemon has its usual limits; the load is another process. */
export async function benchCost(environment: Record<string, string>, report: Report): Promise<void> {
  const screens = await startScreens();
  try {
    for (const load of ['names', 'plans', 'lists', 'references', 'waits', 'scripts'] as const)
      await benchLoad(load, { environment, openScreen: screens.open }, report);
  } finally {
    await screens.close();
  }
}

function medianOf(rounds: readonly Round[], name: keyof Round): number {
  return median(rounds.map((round) => round[name] ?? Number.POSITIVE_INFINITY));
}

type Surroundings = { environment: Record<string, string>; openScreen: OpenScreen };

async function benchLoad(load: CostLoad, surroundings: Surroundings, report: Report): Promise<void> {
  report.heading(`${COST_LOADS[load]}: how long the person waits`);
  const { environment, openScreen } = surroundings;
  const manner = { rounds: ROUNDS, roundMs: ROUND_MS, isWhole: true, environment };
  const { rounds, stopMs, statuses } = await measureCost(load, manner);
  const note = `median of ${rounds.length} rounds; the load was answered ${JSON.stringify(statuses)}`;
  const of = (name: keyof Round) => medianOf(rounds, name);
  const figure = (name: string, value: number, atMost: number) =>
    report.figure({ name: `${load}: ${name}`, value, unit: 'ms', goal: { atMost } });
  report.figure({ name: `${load}: console answers, p99`, value: of('p99Ms'), unit: 'ms', goal: { atMost: 100 }, note });
  const slowestMs = Math.max(...rounds.map((round) => round.slowestMs));
  report.figure({ name: `${load}: console answers, slowest`, value: slowestMs, unit: 'ms' });
  figure('submission to prompt, fetched', of('promptMs'), 300);
  figure('answer to a stop', stopMs, 200);
  // Apart from the figures above: on a small machine the browser itself takes much of the processor.
  const watched = await measureCost(load, { rounds: ROUNDS, roundMs: ROUND_MS, environment, openScreen });
  figure('submission to prompt, drawn in Chromium', medianOf(watched.rounds, 'drawnMs'), 300);
  const calls = CALLS[load];
  if (calls === undefined) return;
  const answered = statuses['202'] ?? 0;
  report.figure({ name: `${load}: answered 202`, value: answered, unit: 'tasks', goal: { atLeast: calls } });
}
