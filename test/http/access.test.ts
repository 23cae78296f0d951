import { expect, test } from 'vitest';
import { problemResponse } from '../../src/http/problem-response.ts';
import { startRig } from './rig.ts';

test('a requester asks for its own access', async () => {
  const rig = await startRig();
  expect(await rig.call('GET /api/tee/access', { userId: 'ann' })).toMatchObject({
    status: 200,
    body: { access: [], grants: [], folders: [{ path: '/home/ann/Reports', access: 'read' }] },
  });
  expect(await rig.call('GET /api/tee/access')).toMatchObject({ status: 401, body: { code: 'user_id_required' } });
});

test('a refusal says over HTTP which path helps', () => {
  const { body } = problemResponse(
    { refused: 'task_not_found', detail: 'This user has no task x.', see: 'tasks' },
    'id',
  );
  expect(body.detail).toBe('This user has no task x. GET /api/tee/tasks lists them.');
});
