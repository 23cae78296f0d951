import { expect, test } from 'vitest';
import { checkAction } from '../../src/services/actions/checked-action.ts';
import { allOf } from '../../src/services/tasks/acceptance.ts';
import { createSlice } from '../../src/services/work/turns.ts';
import { createFakeClock } from './fake-clock.ts';

/** Four steps of a task, and everything that happens to them, in its order. */
function start(actionType: string, parameters: Record<string, unknown>) {
  const events: string[] = [];
  const steps = [0, 1, 2, 3].map((index) => ({
    step: { id: `s${index}`, actionType, parameters, targetDeviceId: 'd' },
    named: { userId: 'ann', body: { actionType, parameters, targetDeviceId: 'd' }, gone: new AbortController().signal },
    checked: checkAction({ actionType, parameters }),
  }));
  return { steps, events };
}

test('D4: the steps of a task are assessed in slices, so that other calls are served between two of them', async () => {
  const { steps, events } = start('RunScript', { interpreter: 'sh', script: 'ls' });
  const clock = createFakeClock();
  const slice = createSlice(clock, async () => void events.push('pause'));
  await allOf(steps, slice, ({ step }) => {
    events.push(step.id);
    clock.advance(3);
    return step;
  });
  expect(events).toEqual(['s0', 's1', 'pause', 's2', 's3', 'pause']);
});
