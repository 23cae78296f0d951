import { expect, test } from 'vitest';
import type { Task } from '../../src/contract/task.ts';
import type { FilesRig } from './files-rig.ts';
import { startScriptsRig } from './scripts-rig.ts';

const run = (rig: FilesRig, parameters: Record<string, unknown>) =>
  rig.run('RunScript', { interpreter: 'sh', folder: '~/work', ...parameters });

test('a script that ends with a code other than 0 has failed, and its code, outputs and changes are told', async () => {
  const rig = await startScriptsRig();
  const action = await run(rig, { script: 'echo out; echo why >&2; echo x > new.txt; exit 3' });
  expect(action).toMatchObject({
    status: 'failed',
    effect: 'confirmed',
    error: { code: 'script_failed', message: 'The script ended with code 3 instead of 0.', retryable: false },
    data: { exitCode: 3, stdoutTail: 'out\n', stderrTail: 'why\n', changedFiles: [{ change: 'created' }] },
  });
  expect(action.artifacts).toHaveLength(2);
});

test('an exception that nobody catches is a failure, and a code that the call names is a success', async () => {
  const rig = await startScriptsRig();
  const thrown = await run(rig, { interpreter: 'python', script: 'raise ValueError("no such row")' });
  expect([thrown.status, thrown.error?.code]).toEqual(['failed', 'script_failed']);
  expect(thrown.data).toMatchObject({ stderrTail: expect.stringContaining('ValueError: no such row') });
  const grep = await run(rig, { script: 'grep -q nothing notes.txt', okExitCodes: [0, 1] });
  expect([grep.status, grep.error]).toEqual(['success', undefined]);
  const none = await run(rig, { script: 'true', okExitCodes: [1] });
  expect([none.status, none.error?.code]).toEqual(['failed', 'script_failed']);
});

test('a task does not go on to the step after a script that failed', async () => {
  const rig = await startScriptsRig();
  const parameters = { interpreter: 'sh', folder: '~/work' };
  const steps = [
    { id: 'build', actionType: 'RunScript', parameters: { ...parameters, script: 'exit 7' } },
    {
      id: 'publish',
      actionType: 'RunScript',
      parameters: { ...parameters, script: 'echo x > published' },
      dependsOn: ['build'],
    },
  ].map((step) => ({ ...step, targetDeviceId: rig.targetDeviceId }));
  const { body } = await rig.daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { name: 'Build', steps } });
  await rig.answer('allow');
  const ended = await rig.endedTask(body);
  expect(ended.status).toBe('failed');
  expect(ended.steps.map(({ id, status, error }) => [id, status, error?.code])).toMatchObject([
    ['build', 'failed', 'script_failed'],
    ['publish', expect.stringMatching(/^(?:skipped|cancelled)$/u), undefined],
  ]);
});
