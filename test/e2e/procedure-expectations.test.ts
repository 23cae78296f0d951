import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Procedure, ProcedureStep, ProcedureSubmission } from '../../src/contract/procedure.ts';
import type { Task } from '../../src/contract/task.ts';
import { startScriptsRig } from './scripts-rig.ts';

test('an approved procedure goes on where the file is there and the script ends well, and stops at the first miss', async () => {
  const rig = await startScriptsRig();
  const userId = 'ann';
  const keptAs = async (name: string, changed: Partial<ProcedureStep>): Promise<Task> => {
    const step: ProcedureStep = {
      id: 'write',
      actionType: 'WriteFile',
      parameters: { path: { $parameter: 'file' }, content: 'a' },
      expect: { file: { $parameter: 'file' }, withinMs: 150 },
      ...changed,
    };
    const script: ProcedureStep = {
      id: 'run',
      actionType: 'RunScript',
      parameters: { interpreter: 'sh', folder: '~/work', script: 'exit 3' },
      expect: { exitCode: 3 },
    };
    const body: ProcedureSubmission = {
      name,
      parameters: { file: { type: 'path', under: '~/work' } },
      steps: [step, script],
      may: { critical: ['write', 'run'], minutes: 5 },
    };
    const kept = await rig.daemon.call<Procedure>('/api/tee/procedures', { userId, method: 'PUT', body });
    const { digest } = kept.body;
    const approval = { userId, digest, targetDeviceId: rig.targetDeviceId, days: 1, runs: 1 };
    expect((await rig.console(`/procedures/${name}/approve`, { body: approval })).status).toBe(200);
    const intent = { procedure: name, parameters: { file: `~/work/${name}.txt` }, targetDeviceId: rig.targetDeviceId };
    const { body: task } = await rig.daemon.call<Task>('/api/tee/intents', { userId, body: intent });
    return rig.endedTask(task);
  };
  const told = ({ status, steps }: Task) => [status, ...steps.map((step) => `${step.id} ${step.status}`)];

  expect(told(await keptAs('good', {}))).toEqual(['success', 'write success', 'write:expect success', 'run success']);
  const missed = await keptAs('missed', { expect: { file: '~/work/other.txt', withinMs: 150 } });
  expect(told(missed)).toEqual(['failed', 'write success', 'write:expect failed', 'run skipped']);
  expect(missed.steps[1]?.error?.message).toBe(`${rig.at('work/other.txt')} is not there.`);
  writeFileSync(rig.at('work/other.txt'), 'b');
  const found = await keptAs('found', { expect: { file: '~/work/other.txt', withinMs: 150 } });
  expect(found.status).toBe('success');
});
