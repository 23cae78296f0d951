import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { createConformance } from './conformance.ts';
import { startRig } from './rig.ts';

test('the description is OpenAPI 3.1 and calls itself 1.0', async () => {
  const rig = await startRig();
  const { body } = await rig.call('GET /openapi.json');
  const validator = new Validator();
  const result = await validator.validate(Object(body));
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Handrail', version: '1.0' } });
});

test('every route is described, with its problems, in terms of our records', async () => {
  const rig = await startRig();
  const described: unknown = (await rig.call('GET /openapi.json')).body;
  expect(Object.keys(Object(described).paths)).toEqual(
    expect.arrayContaining(['/health', '/api/tee/actions/{id}/cancel', '/api/console/confirmations/{id}/decision']),
  );
  const submit = Object(described).paths['/api/tee/actions'].post;
  expect(submit.security).toEqual([{ userId: [] }]);
  expect(submit.responses['202'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Action' } },
  });
  expect(submit.responses['422']).toEqual({
    description: '`idempotency_key_reused`, `unknown_action_type`, `parameters_invalid`',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('the comparison sees a wrong status, type, shape and code', async () => {
  const rig = await startRig();
  const conformance = createConformance(rig.app.swagger());
  const complaints = (status: number, contentType: string, body: unknown) =>
    conformance.complaints({ method: 'GET', path: '/api/tee/devices/dev_x' }, { status, contentType, body });
  const problem = { type: 'urn:handrail:problem:x', title: '', status: 404, detail: '', instance: '', code: 'paused' };
  expect(complaints(418, 'application/json', {})).toEqual(['GET /api/tee/devices/{id} 418 is not described']);
  expect(complaints(200, 'text/html', '')).toEqual(['GET /api/tee/devices/{id} 200 is not described as text/html']);
  expect(complaints(200, 'application/json', { id: 1 })).toEqual([
    expect.stringContaining('must have required property'),
  ]);
  expect(complaints(404, 'application/problem+json', problem)).toEqual([
    'GET /api/tee/devices/{id} 404: the code paused is not described',
  ]);
});
