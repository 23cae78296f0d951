import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunIf, StepStatus } from '../../src/contract/task.ts';
import { isStepEnded, planSteps, type ScheduledStep, taskStatusOf } from '../../src/domain/task-schedule.ts';

const step = (id: string, dependsOn: string[] = [], more: Partial<ScheduledStep> = {}): ScheduledStep => {
  const base = {
    deviceId: 'dev',
    effectClass: 'pure',
    runIf: 'success',
    status: 'pending',
    isUnderWay: false,
  } as const;
  return { id, dependsOn, ...base, ...more };
};
const ended = (id: string, status: StepStatus, dependsOn: string[] = []) => step(id, dependsOn, { status });
const running = (id: string, more: Partial<ScheduledStep> = {}) =>
  step(id, [], { status: 'running', isUnderWay: true, ...more });

describe('a plan', () => {
  test('starts what depends on nothing, four at once', () => {
    const steps = ['a', 'b', 'c', 'd', 'e'].map((id) => step(id));
    expect(planSteps(steps, 'stop')).toEqual({ start: ['a', 'b', 'c', 'd'], skip: [] });
  });

  test('starts a step when the last one before it has succeeded', () => {
    expect(planSteps([ended('a', 'success'), running('b'), step('c', ['a', 'b'])], 'stop').start).toEqual([]);
    expect(planSteps([ended('a', 'success'), ended('b', 'success'), step('c', ['a', 'b'])], 'stop').start).toEqual([
      'c',
    ]);
  });

  test('skips what a failure made impossible, and what waits for that', () => {
    const steps = [ended('a', 'failed'), step('b', ['a']), step('c', ['b']), step('d')];
    expect(planSteps(steps, 'continue')).toEqual({ start: ['d'], skip: ['b', 'c'] });
    expect(planSteps(steps, 'stop')).toEqual({ start: [], skip: ['b', 'c', 'd'] });
  });

  test('starts what is meant for a failure, or for any case, under stop as well', () => {
    const handlerOf = (runIf: RunIf) => step(runIf, ['a'], { runIf });
    const handlers = [handlerOf('failure'), handlerOf('always')];
    for (const status of ['failed', 'denied', 'expired', 'blocked', 'cancelled'] as const)
      expect(planSteps([ended('a', status), ...handlers], 'stop').start).toEqual(['failure', 'always']);
    expect(planSteps([ended('a', 'success'), ...handlers], 'stop')).toEqual({ start: ['always'], skip: ['failure'] });
  });

  test('keeps what depends on an unknown step waiting, and lets others go on', () => {
    const steps = [ended('a', 'unknown'), step('b', ['a']), step('c', ['a'], { runIf: 'always' }), step('d')];
    expect(planSteps(steps, 'stop')).toEqual({ start: ['d'], skip: [] });
  });

  test('starts one step of effect once at a time on a device', () => {
    const once = { effectClass: 'once' } as const;
    const steps = [step('a', [], once), step('b', [], once), step('c', [], { ...once, deviceId: 'other' }), step('d')];
    expect(planSteps(steps, 'stop').start).toEqual(['a', 'c', 'd']);
    expect(planSteps([running('x', once), ...steps], 'stop').start).toEqual(['c', 'd']);
  });
});

test.each<[StepStatus[], string]>([
  [['pending', 'pending'], 'pending'],
  [['success', 'pending'], 'running'],
  [['unknown', 'running', 'failed'], 'needs_attention'],
  [['running', 'awaiting_confirmation', 'failed'], 'running'],
  [['awaiting_confirmation', 'cancelled'], 'awaiting_confirmation'],
  [['cancelled', 'failed', 'success'], 'cancelled'],
  [['denied', 'skipped'], 'failed'],
  [['expired', 'success'], 'failed'],
  [['blocked', 'success'], 'failed'],
  [['failed', 'success'], 'failed'],
  [['success', 'skipped'], 'success'],
])('steps that are %j make a task that is %s', (statuses, expected) => {
  expect(taskStatusOf(statuses.map((status) => ({ status, isUnderWay: false })))).toBe(expected);
});

const outcomes: StepStatus[] = ['success', 'failed', 'denied', 'expired', 'blocked', 'cancelled', 'unknown'];

/** A graph without cycles: each step may depend on steps before it in a hidden order; the list itself is shuffled. */
const graphs = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc
    .tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.record({
          dependsOn: fc.subarray(Array.from({ length: index }, (_unused, before) => `s${before}`)),
          runIf: fc.constantFrom<RunIf>('success', 'success', 'failure', 'always'),
          effectClass: fc.constantFrom<ScheduledStep['effectClass']>('pure', 'idempotent', 'once'),
          deviceId: fc.constantFrom('one', 'two'),
          outcome: fc.constantFrom(...outcomes),
          order: fc.nat(),
          haste: fc.nat(),
        }),
      ),
    )
    .map((parts) =>
      parts.map((part, index) => ({ ...part, id: `s${index}` })).toSorted((one, other) => one.order - other.order),
    ),
);

test('every graph comes to rest, in order and within its limits, and its statuses add up', () => {
  fc.assert(
    fc.property(graphs, fc.constantFrom('stop', 'continue'), (parts, onFailure) => {
      const steps = parts.map(({ id, dependsOn, runIf, effectClass, deviceId }) =>
        step(id, dependsOn, { runIf, effectClass, deviceId }),
      );
      const hasteOf = new Map(parts.map(({ id, haste }) => [id, haste]));
      const outcomeOf = new Map(parts.map(({ id, outcome }) => [id, outcome]));
      for (let rounds = 0; ; rounds += 1) {
        expect(rounds).toBeLessThanOrEqual(parts.length);
        followPlan(steps, onFailure);
        const underWay = steps.filter(({ isUnderWay }) => isUnderWay);
        expectWithinLimits(underWay);
        const [next] = underWay.toSorted((one, other) => Number(hasteOf.get(one.id)) - Number(hasteOf.get(other.id)));
        if (next === undefined) break;
        Object.assign(next, { status: outcomeOf.get(next.id), isUnderWay: false });
      }
      for (const one of steps.filter(({ status }) => status === 'pending'))
        expect(hasUnknownAncestor(one, steps)).toBe(true);
      expect(taskStatusOf(steps)).toBe(expectedAtRest(steps.map(({ status }) => status)));
    }),
    { numRuns: 300 },
  );
});

/** Skips and begins what the plan says, which must be what the conditions of the steps allow. */
function followPlan(steps: ScheduledStep[], onFailure: 'stop' | 'continue'): void {
  const { start, skip } = planSteps(steps, onFailure);
  for (const one of steps.filter(({ id }) => skip.includes(id))) {
    expect(one).toMatchObject({ status: 'pending', isUnderWay: false });
    one.status = 'skipped';
  }
  for (const one of steps.filter(({ id }) => start.includes(id))) {
    const before = one.dependsOn.map((id) => steps.find((other) => other.id === id)?.status ?? 'pending');
    expect(before.every(isStepEnded)).toBe(true);
    if (one.runIf === 'success') expect(before.every((status) => status === 'success')).toBe(true);
    expect(one).toMatchObject({ status: 'pending', isUnderWay: false });
    Object.assign(one, { status: 'running', isUnderWay: true });
  }
}

function expectWithinLimits(underWay: readonly ScheduledStep[]): void {
  expect(underWay.length).toBeLessThanOrEqual(4);
  const once = underWay.filter(({ effectClass }) => effectClass === 'once').map(({ deviceId }) => deviceId);
  expect(new Set(once).size).toBe(once.length);
}

function hasUnknownAncestor(one: ScheduledStep, steps: readonly ScheduledStep[]): boolean {
  return one.dependsOn
    .flatMap((id) => steps.filter((other) => other.id === id))
    .some((other) => other.status === 'unknown' || hasUnknownAncestor(other, steps));
}

function expectedAtRest(statuses: readonly StepStatus[]): string {
  if (statuses.includes('unknown')) return 'needs_attention';
  if (statuses.includes('cancelled')) return 'cancelled';
  return statuses.every((status) => status === 'success' || status === 'skipped') ? 'success' : 'failed';
}
