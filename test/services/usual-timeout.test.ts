import { expect } from 'vitest';
import { FailureCode } from '../../src/contract/action.ts';
import { actionError } from '../../src/domain/action-state.ts';
import { notDone, startServices, test } from './rig.ts';
import { submittedTask } from './tasks-rig.ts';

const SIXTY_SECONDS = { actionType: 'Wait', parameters: { durationMs: 60_000 } };

test('a Wait may take its duration and five seconds, and anything else thirty', async ({ rig }) => {
  await rig.submitted(SIXTY_SECONDS);
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 1 } });
  await rig.submitted({ ...SIXTY_SECONDS, timeoutMs: 100 });
  await rig.submitted({ actionType: 'DescribeScreen', parameters: {} });
  expect(rig.agent.sent.map(({ deadlineMs }) => deadlineMs)).toEqual([65_000, 30_000, 100, 30_000]);
});

test('so may the Wait of a step, and one whose duration comes from an earlier step as long as the longest', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [
    { id: 'long', ...SIXTY_SECONDS },
    { id: 'open', dependsOn: ['long'], parameters: { durationMs: { $from: 'long.data.waitedMs' } } },
    { id: 'told', ...SIXTY_SECONDS, timeoutMs: 100 },
  ]);
  expect(rig.store.tasks.find('ann', taskId)?.steps.map(({ timeoutMs }) => timeoutMs)).toEqual([65_000, 65_000, 100]);
});

test('what took too long says that more time can be given', async ({ rig }) => {
  const answer = rig.submit({ actionType: 'DescribeScreen' });
  await rig.agent.answer(notDone({ code: 'timeout', message: 'The time for this was over before anything was done.' }));
  expect(await answer).toMatchObject({
    action: { error: { fix: 'Give it more time: submit it with a larger timeoutMs, of at most 600000.' } },
  });
});

test('the fix that the agent names for what took too long is kept', () => {
  expect(actionError('timeout', 'Over.', 'Look whether the app asks something.').fix).toBe(
    'Look whether the app asks something.',
  );
});

test('only what can pass while the submission stays as it is may be retried', () => {
  const codes = FailureCode.enum.filter((code) => actionError(code, 'It failed.').retryable);
  expect(codes).toEqual(['display_unavailable', 'timeout', 'busy', 'agent_unavailable']);
});
