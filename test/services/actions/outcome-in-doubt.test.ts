import { describe, expect, test } from 'vitest';
import { notDone, trusting } from '../rig.ts';
import { answerStep, submittedTask, taskNow } from '../tasks-rig.ts';

const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' } };
const open = { actionType: 'OpenApp', parameters: { appName: 'mousepad' } };
const LOOK = 'It may have been done. Look before you submit it again.';

describe('an action that may happen only once and failed after it may have been done', () => {
  test.each(['timeout', 'agent_unavailable', 'busy', 'internal_error'] as const)(
    'of %s is unknown and not to be tried again',
    async (code) => {
      const rig = trusting();
      const { actionId } = await rig.submitted(quit);
      await rig.agent.answer(notDone({ code, message: 'Over.', sideEffect: 'unknown' }));
      expect(rig.services.actions.get('ann', actionId)).toMatchObject({
        status: 'unknown',
        effect: 'unverified',
        details: 'Over.',
        error: { code, retryable: false, fix: LOOK },
      });
    },
  );

  test('leaves its task to the attention of the person', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [
      { id: 'quit', ...quit },
      { id: 'tidy', dependsOn: ['quit'], runIf: 'failure' },
    ]);
    await answerStep(rig, taskId, 'quit', notDone({ code: 'timeout', message: 'Over.', sideEffect: 'unknown' }));
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'needs_attention',
      steps: [{ status: 'unknown' }, { status: 'pending' }],
    });
  });

  test('has failed where part of it was certainly done, and is not to be tried again', async () => {
    const rig = trusting();
    const { actionId } = await rig.submitted(quit);
    await rig.agent.answer(notDone({ code: 'timeout', message: 'Over.', sideEffect: 'done' }));
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({
      status: 'failed',
      error: { retryable: false, fix: 'Part of it was done. Look what is left to do before you submit it again.' },
    });
  });

  test('may be tried again where nothing was done', async () => {
    const rig = trusting();
    const { actionId } = await rig.submitted(quit);
    await rig.agent.answer(notDone({ code: 'timeout', message: 'Over.', sideEffect: 'none' }));
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'failed', error: { retryable: true } });
  });
});

test('an action that is harmless to repeat may be tried again whatever was done', async () => {
  const rig = trusting();
  const { actionId } = await rig.submitted(open);
  await rig.agent.answer(notDone({ code: 'timeout', message: 'Over.', sideEffect: 'unknown' }));
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({
    status: 'failed',
    effect: 'unverified',
    error: { retryable: true },
  });
});
