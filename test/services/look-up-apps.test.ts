import { expect, test } from 'vitest';
import { checkAction } from '../../src/services/actions/checked-action.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { whenLookedUp } from '../../src/services/tasks/look-up-apps.ts';
import { createFakeClock } from './fake-clock.ts';

/** Steps of 3 ms each, and everything that happens, in its order. */
function start(parameters: Record<string, unknown>, actionType: string) {
  const clock = createFakeClock();
  const events: string[] = [];
  const step = (index: number) => {
    const checked = checkAction({ actionType, parameters });
    if (isRefusal(checked)) throw new Error(checked.detail);
    const assess: typeof checked.assess = (seen) => {
      events.push(`step ${index}`);
      clock.advance(3);
      return checked.assess(seen);
    };
    const named = {
      userId: 'ann',
      body: { actionType, parameters, targetDeviceId: 'd' },
      gone: new AbortController().signal,
    };
    return {
      step: { id: `s${index}`, actionType, parameters, targetDeviceId: 'd' },
      named,
      checked: { ...checked, assess },
    };
  };
  const turn = { pause: async () => void events.push('pause'), end: () => void events.push('end') };
  const parts = {
    clock,
    stopped: () => undefined,
    rules: { displays: () => [] },
    apps: { learn: async () => void events.push('app') },
    paths: { learn: async () => void events.push('paths') },
  };
  const answered = whenLookedUp({ steps: [0, 1, 2, 3].map(step), turn }, Object(parts), async () => {
    events.push('goes on');
  });
  return { answered, events };
}

test('D4: the steps of a task are assessed in slices, so that other calls are served between two of them', async () => {
  const { answered, events } = start({ interpreter: 'sh', script: 'ls' }, 'RunScript');
  await answered;
  expect(events).toEqual(['step 0', 'step 1', 'pause', 'step 2', 'step 3', 'pause', 'goes on']);
});

test('D4: while the agent is asked the turn is over, and the work after it is charged again', async () => {
  const { answered, events } = start({ path: '/a' }, 'ReadFile');
  await answered;
  expect(events).toEqual([
    ...['step 0', 'step 1', 'pause', 'step 2', 'step 3', 'pause'],
    ...['end', 'paths', 'pause', 'goes on'],
  ]);
});
