import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { ACTION_DATA } from '../../src/contract/action-data.ts';
import { InputResult } from '../../src/contract/hands.ts';
import { ARTIFACT_MEDIA_TYPES } from '../../src/contract/link.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { createConformance } from './conformance.ts';
import { openRig, startRig } from './rig.ts';
import { startWhole } from './whole-rig.ts';

const rig = await openRig();
afterAll(() => rig.app.close());
const description = Object((await rig.call('GET /openapi.json')).body);
const operations = operationsOf(description);

test('the description is OpenAPI 3.1 and calls itself 1.0', async () => {
  const validator = new Validator();
  const result = await validator.validate(description);
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
  expect(description).toMatchObject({ openapi: '3.1.0', info: { title: 'Handrail', version: '1.0' } });
});

test('every route is described, with its problems, in terms of our records', () => {
  expect(Object.keys(description.paths)).toEqual(
    expect.arrayContaining(['/health', '/api/tee/actions/{id}/cancel', '/api/console/confirmations/{id}/decision']),
  );
  const submit = description.paths['/api/tee/actions'].post;
  expect(submit.security).toEqual([{ userId: [] }, { userId: [], userKey: [] }]);
  expect(submit.responses['202'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Action' } },
  });
  expect(submit.responses['422']).toEqual({
    description: '`idempotency_key_reused`, `unknown_action_type`, `parameters_invalid`',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
});

test('every operation says whose call it is, also where no id is needed, and the description names its license', () => {
  expect(operations.filter(({ operation }) => operation.security === undefined).map(({ line }) => line)).toEqual([]);
  const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ line }) => line);
  expect(open.toSorted()).toEqual([
    'get /api/tee/action-types',
    'get /health',
    'get /metrics',
    'post /api/console/session',
  ]);
  const optional = operations.filter(({ operation }) => operation.security?.some(isEmpty));
  expect(new Set(optional.map(({ line }) => line.split('/').slice(0, 3).join('/')))).toEqual(
    new Set(['get /api/guardian']),
  );
  expect(description.info.license).toEqual({ name: 'Apache License 2.0', identifier: 'Apache-2.0' });
  expect(description.paths['/api/tee/agent'].get.responses['101']).toEqual({ description: 'Switching Protocols' });
});

const isEmpty = (requirement: object) => Object.keys(requirement).length === 0;

test('each operation that has a limit of size, number or time says so', () => {
  const { paths } = description;
  expect([
    paths['/api/tee/actions'].post.description,
    paths['/api/tee/tasks'].post.description,
    paths['/api/tee/actions/{id}'].get.description,
    paths['/api/tee/artifacts/{id}'].get.description,
  ]).toEqual([
    expect.stringMatching(/64 KiB and 10,000 members.*500 actions of a user/),
    expect.stringMatching(/256 KiB and 10,000 members.*20 unfinished tasks with 1,000 steps.*two minutes/),
    expect.stringMatching(/64 MiB.*256 MiB/),
    expect.stringMatching(/250 MiB.*500 MiB/),
  ]);
});

test('every operation has a name of its own, for generated clients', () => {
  const unnamed = operations.filter(({ operation }) => operation.operationId === undefined).map(({ line }) => line);
  expect(unnamed).toEqual([]);
  const names = operations.map(({ operation }) => String(operation.operationId));
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('every body, every part of a path and every main record comes with an example that is valid', () => {
  const isValid = createExampleCheck(description);
  const given: { what: string; pointer: string; examples: unknown[] }[] = [];
  for (const { line, pointer, operation } of operations) {
    const body = operation.requestBody?.content['application/json'];
    if (body !== undefined) {
      const at = `${pointer}/requestBody/content/application~1json/schema`;
      given.push({ what: `${line}: body`, pointer: at, examples: examplesOf(body) });
    }
    for (const [index, parameter] of (operation.parameters ?? []).entries()) {
      if (parameter.in !== 'path') continue;
      const at = `${pointer}/parameters/${index}/schema`;
      given.push({ what: `${line}: ${parameter.name}`, pointer: at, examples: examplesOf(parameter) });
    }
  }
  for (const name of ['Device', 'Action', 'Task', 'Problem', 'Health']) {
    const { examples = [] } = description.components.schemas[name];
    given.push({ what: name, pointer: `/components/schemas/${name}`, examples });
  }
  expect(given.length).toBeGreaterThan(45);
  expect(given.filter(({ examples }) => examples.length === 0).map(({ what }) => what)).toEqual([]);
  const wrong = given.flatMap(({ what, pointer, examples }) =>
    examples.flatMap((example) => isValid(pointer, example).map((why) => `${what}: ${why}`)),
  );
  expect(wrong).toEqual([]);
  expect(isValid('/components/schemas/Task', { taskId: 1 })).not.toEqual([]);
});

test('a generator of clients finds the target of each reference, each part of a path, and a type for each answer', () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  expect(references.map(([, name = '']) => name).filter((name) => !(name in description.components.schemas))).toEqual(
    [],
  );
  const unnamed = operations.filter(({ path, operation }) => {
    const described = (operation.parameters ?? []).filter((each: object) => Object(each).in === 'path');
    const names = described.map((each: object) => `{${Object(each).name}}`);
    return (path.match(/\{\w+\}/g) ?? []).toSorted().join() !== names.toSorted().join();
  });
  expect(unnamed.map(({ line }) => line)).toEqual([]);
  const untyped = operations.flatMap(({ line, operation }) =>
    Object.entries<object>(operation.responses).flatMap(([status, response]) =>
      Object.entries(Object(response).content ?? {})
        .filter(([, body]) => Object.keys(Object(body).schema ?? {}).length === 0)
        .map(([mediaType]) => `${line} ${status} ${mediaType}`),
    ),
  );
  expect(untyped).toEqual([]);
});

/** Answers what is wrong with an example for the schema at a place of the description. */
function createExampleCheck(description: object): (pointer: string, example: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { binary: true } });
  ajv.addSchema(description, 'openapi');
  return (pointer, example) => {
    const validate = ajv.getSchema(`openapi#${pointer}`);
    if (validate === undefined) throw new Error(`there is no schema at ${pointer}`);
    return validate(example) === true ? [] : [ajv.errorsText(validate.errors)];
  };
}

/** The examples of a media type or a parameter, which has either one example or several by name. */
function examplesOf({ example, examples = {} }: { example?: unknown; examples?: Record<string, { value: unknown }> }) {
  const several = Object.values(examples).map(({ value }) => value);
  return example === undefined ? several : [example];
}

test('the data of an action has the shape of the result of one of the action types, each of which has one', () => {
  const { components } = description;
  const results = components.schemas.Action.properties.data.anyOf.map((shape: object) => {
    // DescribeScreen has two forms of its result.
    const [{ $ref }] = Object(shape).anyOf ?? [shape];
    const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec($ref) ?? [];
    return components.schemas[name]?.description;
  });
  const expected = [...CATALOGUE.keys()].map((type) =>
    ACTION_DATA[type] === InputResult
      ? 'the result of an action by pointer, keyboard or windows'
      : `the result of ${type}`,
  );
  expect(results.toSorted()).toEqual(expected.toSorted());
});

test('an artifact is described as each of the media types that it can have', () => {
  const { paths } = description;
  for (const path of ['/api/tee/artifacts/{id}', '/api/console/artifacts/{id}']) {
    const described = Object.keys(paths[path].get.responses['200'].content);
    const missing = ARTIFACT_MEDIA_TYPES.filter(
      (type) => !described.includes(type) && !described.includes(type.replace(/\/.*/, '/*')),
    );
    expect([path, missing]).toEqual([path, []]);
  }
});

/** What its name and values say already. */
const PLAIN =
  /^(actions|actionType|category|confirmations|id|items|kind|metricType|p\d\d|risk|severity|status|steps|stepId|taskId|tasks|type|window)$/;

test('whoever reads the description learns what Guardian tells of, in which unit, and what a query may ask', () => {
  const { paths, components } = description;
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

test('a call under a user id that is locked is described: its key, and what is said where it lacks', () => {
  expect(description.components.securitySchemes.userKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  const ofUsers = operations.filter(({ path }) => /^\/api\/tee\/(?!agent$|action-types$)/.test(path));
  expect(ofUsers.length).toBeGreaterThan(14);
  for (const { line, operation } of ofUsers) {
    expect([line, operation.security]).toEqual([line, [{ userId: [] }, { userId: [], userKey: [] }]]);
    expect([line, operation.responses['401'].description]).toEqual([
      line,
      expect.stringContaining('`user_key_invalid`'),
    ]);
  }
});

test('whatever changes something may be refused for its body, for too many of its kind, and for a full disk', () => {
  const writes = operations.filter(({ method }) => method !== 'get');
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

test('the comparison sees a wrong status, type, shape and code', () => {
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

function operationsOf(described: object) {
  return Object.entries(Object(described).paths).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => {
      const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`;
      return { path, method, line: `${method} ${path}`, pointer, operation: Object(operation) };
    }),
  );
}
