import { Validator } from '@seriousme/openapi-schema-validator';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { ActionSubmission } from '../../src/contract/action.ts';
import { DeviceRegistration } from '../../src/contract/device.ts';
import { TaskSubmission } from '../../src/contract/task.ts';
import { OPERATION_IDS } from '../../src/http/operation-ids.ts';
import { createConformance } from './conformance.ts';
import { startRig } from './rig.ts';
import { startWhole } from './whole-rig.ts';

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
  expect(submit.security).toEqual([{ userId: [] }, { userId: [], userKey: [] }]);
  expect(submit.responses['202'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Action' } },
  });
  expect(submit.responses['422']).toEqual({
    description: '`idempotency_key_reused`, `unknown_action_type`, `parameters_invalid`',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('each operation that has a limit of size, number or time says so', async () => {
  const rig = await startRig();
  const { paths } = Object((await rig.call('GET /openapi.json')).body);
  expect([
    paths['/api/tee/actions'].post.description,
    paths['/api/tee/tasks'].post.description,
    paths['/api/tee/actions/{id}'].get.description,
    paths['/api/tee/artifacts/{id}'].get.description,
  ]).toEqual([
    expect.stringMatching(/64 KiB and 10,000 members.*1,000 actions of a user/),
    expect.stringMatching(/1 MiB and 10,000 members.*10,000 steps.*two minutes/),
    expect.stringMatching(/64 MiB.*256 MiB/),
    expect.stringMatching(/250 MiB.*500 MiB/),
  ]);
});

test('every operation has a name of its own, for generated clients', async () => {
  const rig = await startRig();
  const operations = operationsOf((await rig.call('GET /openapi.json')).body);
  const unnamed = operations.filter(({ operation }) => operation.operationId === undefined).map(({ line }) => line);
  expect(unnamed, 'add these to src/http/operation-ids.ts').toEqual([]);
  const names = operations.map(({ operation }) => String(operation.operationId));
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(OPERATION_IDS).length, 'src/http/operation-ids.ts names operations that are gone').toBe(
    names.length,
  );
});

test('the bodies of devices, actions and tasks come with examples that are valid', async () => {
  const rig = await startRig();
  const operations = operationsOf((await rig.call('GET /openapi.json')).body);
  const bodies = { registerDevice: DeviceRegistration, submitAction: ActionSubmission, submitTask: TaskSubmission };
  for (const [name, schema] of Object.entries(bodies)) {
    const { operation } = operations.find((each) => each.operation.operationId === name) ?? {};
    const { example, examples = {} } = operation?.requestBody.content['application/json'] ?? {};
    const several = Object.values<{ value: unknown }>(examples).map(({ value }) => value);
    const given = example === undefined ? several : [example];
    expect([name, given.length > 0]).toEqual([name, true]);
    expect([name, given.filter((each) => !Check(schema, each))]).toEqual([name, []]);
  }
});

test('the data of an action has the shape of one of the action types', async () => {
  const rig = await startRig();
  const { components } = Object((await rig.call('GET /openapi.json')).body);
  const shapes = components.schemas.Action.properties.data.anyOf.map((shape: object) => Object(shape).$ref);
  expect(shapes).toEqual(
    ['ScreenDescription', 'ScreenshotData', 'OpenedApp', 'QuitResult', 'Waited'].map(
      (name) => `#/components/schemas/${name}`,
    ),
  );
});

/** What its name and values say already. */
const PLAIN =
  /^(actions|actionType|category|confirmations|id|items|kind|metricType|p\d\d|risk|severity|status|steps|stepId|taskId|tasks|type|window)$/;

test('whoever reads the description learns what Guardian tells of, in which unit, and what a query may ask', async () => {
  const rig = await startRig();
  const { paths, components } = Object((await rig.call('GET /openapi.json')).body);
  const reads = Object.entries<Record<string, Record<string, unknown>>>(paths).filter(([path]) =>
    path.startsWith('/api/guardian'),
  );
  expect(reads).toHaveLength(8);
  const unsaid = reads.flatMap(([path, { get }]) => {
    const { description, parameters, responses } = Object(get);
    const schema = Object(responses)['200'].content['application/json'].schema;
    const asked = parameters.filter((each: object) => !('description' in each) && Object(each).in === 'query');
    return [
      ...(/^[A-Z].*\.$/.test(description) ? [] : [`${path} as a whole`]),
      ...asked.map(({ name }: { name: string }) => `${path}?${name}`),
      ...unsaidIn(schema, path),
    ];
  });
  const records = ['MetricSnapshot', 'Trend', 'Insight', 'RiskSummary', 'GuardianDashboard'];
  const ofRecords = records.flatMap((name) => unsaidIn(components.schemas[name], name));
  expect([...unsaid, ...ofRecords]).toEqual([]);
  expect(paths['/api/guardian/dashboard'].get.responses['200'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/GuardianDashboard',
  });
  expect(components.schemas.GuardianDashboard.properties.metrics.items).toEqual({
    $ref: '#/components/schemas/MetricSnapshot',
  });
});

/** Properties without a description, anywhere inside. */
function unsaidIn(schema: unknown, at: string): string[] {
  const { properties = {}, items, anyOf = [] } = Object(schema);
  const inside = [items, ...anyOf].filter(Boolean).flatMap((each) => unsaidIn(each, at));
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const isSaid = PLAIN.test(name) || '$ref' in Object(property) || 'description' in Object(property);
    return [...(isSaid ? [] : [`${at}.${name}`]), ...unsaidIn(property, `${at}.${name}`)];
  });
  return [...own, ...inside];
}

test('a call under a user id that is locked is described: its key, and what is said where it lacks', async () => {
  const rig = await startRig();
  const described = Object((await rig.call('GET /openapi.json')).body);
  expect(described.components.securitySchemes.userKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  const ofUsers = operationsOf(described).filter(({ path }) => /^\/api\/tee\/(?!agent$|action-types$)/.test(path));
  expect(ofUsers.length).toBeGreaterThan(14);
  for (const { line, operation } of ofUsers) {
    expect([line, operation.security]).toEqual([line, [{ userId: [] }, { userId: [], userKey: [] }]]);
    expect([line, operation.responses['401'].description]).toEqual([
      line,
      expect.stringContaining('`user_key_invalid`'),
    ]);
  }
});

test('whatever changes something may be refused for its body, for too many of its kind, and for a full disk', async () => {
  const rig = await startRig();
  const writes = operationsOf((await rig.call('GET /openapi.json')).body).filter(({ method }) => method !== 'get');
  expect(writes.length).toBeGreaterThan(20);
  const problems = [
    'invalid_json',
    'payload_too_large',
    'unsupported_media_type',
    'rate_limited',
    'storage_unavailable',
  ];
  for (const { line, operation } of writes) {
    const described = Object.values<{ description: string }>(operation.responses).map(({ description }) => description);
    const missing = problems.filter((code) => !described.join().includes(`\`${code}\``));
    expect([line, missing]).toEqual([line, []]);
  }
});

test('every server describes the same routes', async () => {
  const [plain, other] = [await startRig(), await startRig({ rateLimits: 'on', limits: { writeTimeoutMs: 100 } })];
  expect(other.app.swagger()).toEqual(plain.app.swagger());
  const whole = await startWhole();
  expect((await whole.call('GET /openapi.json')).body).toEqual((await plain.call('GET /openapi.json')).body);
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

function operationsOf(described: unknown) {
  return Object.entries(Object(described).paths).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => {
      return { path, method, line: `${method} ${path}`, operation: Object(operation) };
    }),
  );
}
