import fc from 'fast-check';
import { expect } from 'vitest';
import type { RunIf, StepStatus, Task } from '../../src/contract/task.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import type { Rig } from './rig.ts';
import { HAPPENINGS, isEnded, type Kind, type Plan, startWorldRig, World } from './tasks-world.ts';

/** So many tasks share one database, one after the other. */
const RUNS_PER_DATABASE = 100;
/** A restart costs more than all the rest of a run, so not every task that has ended sees one. */
const RUNS_PER_LAST_RESTART = 8;
/** A task that has ended stays as it is, so a few more happenings try that as well as many. */
const MOST_AFTER_THE_END = 3;

const steps = fc.integer({ min: 1, max: 8 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc.record({
        kind: fc.constantFrom<Kind>('pure', 'idempotent', 'once', 'asking', 'asking', 'risky', 'later'),
        device: fc.constantFrom<'one' | 'two'>('one', 'two'),
        dependsOn: fc.subarray(Array.from({ length: index }, (_unused, before) => `s${before}`)),
        runIf: fc.constantFrom<RunIf>('success', 'success', 'failure', 'always'),
        maxAttempts: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  ),
);
/** Under `trusted` nothing here asks, so more of it is under way when something happens. */
const plans: fc.Arbitrary<Plan> = fc.record({
  steps,
  onFailure: fc.constantFrom<Plan['onFailure']>('stop', 'continue'),
  profile: fc.constantFrom<Plan['profile']>('assist', 'trusted'),
});
const USUAL = ['succeed', 'succeed', 'succeed', 'fail', 'allow', 'allow', 'wait'] as const;
const FAULTS = ['fill the disk', 'fill the disk', 'lose the agent'] as const;
/** What a yes may not outlive. */
const TELLING = ['allow', 'succeed', 'resolve', 'change the rules'] as const;
const happenings = fc.array(
  fc.record({ does: fc.constantFrom(...USUAL, ...USUAL, ...TELLING, ...HAPPENINGS, ...FAULTS), which: fc.nat() }),
  { maxLength: 25, size: 'max' },
);

/** What was final stays as it was, and everything the record says of a task follows from its steps. */
function expectOnward(before: Task, after: Task, mayResolve: boolean): void {
  for (const [index, step] of before.steps.entries()) {
    const isFinal = isEnded(step.status) || (step.status === 'unknown' && !mayResolve);
    if (isFinal) expect(after.steps[index]).toEqual(step);
  }
  const ended = after.steps.filter(({ status }) => isEnded(status));
  const statuses = Map.groupBy(after.steps, ({ status }) => status);
  const byStatus = Object.fromEntries([...statuses].map(([status, steps]) => [status, steps.length]));
  expect(after.progress).toEqual({ done: ended.length, total: after.steps.length, byStatus });
  expect(after.finishedAt !== undefined).toBe(ended.length === after.steps.length);
  expect(after.status).toBe(statusOf(after.steps.map(({ status }) => status)));
}

/** The order of TASKS.md. */
function statusOf(of: readonly StepStatus[]): string {
  if (of.includes('unknown')) return 'needs_attention';
  if (of.includes('running')) return 'running';
  if (of.includes('awaiting_confirmation')) return 'awaiting_confirmation';
  if (of.includes('pending')) return of.every((status) => status === 'pending') ? 'pending' : 'running';
  if (of.includes('cancelled')) return 'cancelled';
  return of.every((status) => status === 'success' || status === 'skipped') ? 'success' : 'failed';
}

const LONGER_THAN_ALL_RUNS_MS = 100 * 86_400_000;

let shared: { rig: Rig; uses: number } | undefined;
let users = 0;

function takeRig(): Rig {
  if (shared?.uses === RUNS_PER_DATABASE) retireRig();
  shared ??= { rig: startWorldRig(), uses: 0 };
  shared.uses += 1;
  return shared.rig;
}

/** A database that many tasks have been through has a journal in which nothing is missing. */
function retireRig(): void {
  if (shared === undefined) return;
  expect(auditJournal(dataDirectoryAt(shared.rig.store.path))).toMatchObject({ valid: true });
  // Guardian, which knows nothing but the journal, has found nothing that ran without a decision.
  // The clock may have been set back before all of it.
  const toMs = shared.rig.clock.nowMs() + LONGER_THAN_ALL_RUNS_MS;
  const { counters } = shared.rig.store.recording.recorded({ fromMs: 0, toMs }, toMs).rollup;
  expect(counters.executedUndecided).toBe(0);
  expect(counters.executedElevated).toBeGreaterThan(0);
  shared.rig.end();
  shared = undefined;
}

async function play(plan: Plan, events: readonly { does: (typeof HAPPENINGS)[number]; which: number }[]) {
  users += 1;
  const world = await World.begin(takeRig(), `user-${users}`, plan);
  let afterTheEnd = 0;
  for (const event of events) {
    const before = world.task;
    if (before.finishedAt !== undefined) afterTheEnd += 1;
    if (afterTheEnd > MOST_AFTER_THE_END) break;
    await world.let(event);
    expectOnward(before, world.task, event.does === 'resolve');
  }
  await world.untilRest(40);
  expect(world.task).toMatchObject({ finishedAt: expect.any(String) });
  expect(world.violations).toEqual([]);
  expect(world.prompts()).toEqual([]);
  if (users % RUNS_PER_LAST_RESTART === 0) {
    const ended = world.task;
    await world.let({ does: 'crash', which: 0 });
    expect(world.task).toEqual(ended);
  }
  if (shared !== undefined) shared.rig = world.rig;
}

/**
 * Runs random tasks through random happenings on the real engine, with a clock of its own: whatever happens, a task ends, in
 * order and within its limits, nothing is done twice that may not be, its record adds up, and restarts change nothing then.
 */
export async function playTasks(runs: number): Promise<void> {
  const property = fc.asyncProperty(plans, happenings, async (plan, events) => {
    try {
      await play(plan, events);
    } catch (error) {
      // What is left of it must not come into the way of the next.
      shared?.rig.end();
      shared = undefined;
      throw error;
    }
  });
  await fc.assert(property, { numRuns: runs });
  retireRig();
}
