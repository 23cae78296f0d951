import { expect, test } from 'vitest';
import type { TargetReference } from '../../src/contract/targets.ts';
import { checkAction } from '../../src/services/actions/checked-action.ts';
import { allOf } from '../../src/services/tasks/acceptance.ts';
import { sightOfTask } from '../../src/services/tasks/task-sight.ts';
import { createSlice } from '../../src/services/work/sliced-work.ts';
import { createFakeClock } from './fake-clock.ts';

/** Four steps of a task, and everything that happens to them, in its order. */
function start(actionType: string, parameters: Record<string, unknown>) {
  const events: string[] = [];
  const steps = [0, 1, 2, 3].map((index) => ({
    step: { id: `s${index}`, actionType, parameters, targetDeviceId: 'd' },
    named: { userId: 'ann', body: { actionType, parameters, targetDeviceId: 'd' }, gone: new AbortController().signal },
    checked: checkAction({ actionType, parameters }),
  }));
  const turn = { pause: async () => void events.push('pause'), end: () => void events.push('end') };
  return { steps, turn, events };
}

test('D4: the steps of a task are assessed in slices, so that other calls are served between two of them', async () => {
  const { steps, turn, events } = start('RunScript', { interpreter: 'sh', script: 'ls' });
  const clock = createFakeClock();
  await allOf(steps, createSlice(clock, turn), ({ step }) => {
    events.push(step.id);
    clock.advance(3);
    return step;
  });
  expect(events).toEqual(['s0', 's1', 'pause', 's2', 's3', 'pause']);
});

function lookAt({ steps, turn, events }: ReturnType<typeof start>) {
  const targets = {
    async sight(references: readonly TargetReference[]) {
      events.push(`look at ${references.length}`);
      return new Map();
    },
  };
  return sightOfTask({ userId: 'ann', steps, turn }, Object({ targets, rules: { displays: () => [] } }));
}

test('D4: while the agent is asked the turn is over, and the work after it is charged again', async () => {
  const started = start('ReadFile', { path: '/a' });
  await lookAt(started);
  expect(started.events).toEqual(['end', 'look at 4', 'pause']);
});

test('a task without targets asks nothing and stays in its turn', async () => {
  const started = start('Wait', { durationMs: 1 });
  await lookAt(started);
  expect(started.events).toEqual([]);
});
