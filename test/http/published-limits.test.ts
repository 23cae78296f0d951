import { expect, test } from 'vitest';
import * as link from '../../src/contract/link.ts';
import { ResolveTargetsParameters } from '../../src/contract/targets.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { startRig } from './rig.ts';

const KEYWORDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxProperties'] as const;

/** Some part of a schema, and the name of the nearest property or parameter. */
type Part = { name: string; own: Record<string, unknown> };

/** A schema and all schemas in it. */
function partsIn(schema: unknown, name: string): Part[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own: Record<string, unknown> = { ...schema };
  const named = typeof own.name === 'string' && 'schema' in own ? own.name : name;
  return [{ name: named, own }, ...Object.entries(own).flatMap(([key, value]) => partsBelow(key, value, named))];
}

function partsBelow(key: string, value: unknown, name: string): Part[] {
  if (key.startsWith('example')) return [];
  const isOfNames = key === 'properties' || key === 'schemas';
  return isOfNames ? Object.entries(Object(value)).flatMap(([each, of]) => partsIn(of, each)) : partsIn(value, name);
}

/** Every limit in schemas, as `name keyword figure`. */
function limitsIn(schemas: unknown): string[] {
  return partsIn(schemas, '').flatMap(({ name, own }) =>
    KEYWORDS.filter((keyword) => typeof own[keyword] === 'number').map(
      (keyword) => `${name} ${keyword} ${own[keyword]}`,
    ),
  );
}

/** A line for each name, with all limits that schemas set for it. */
function linesOf(...schemas: unknown[]): string[] {
  const byName = new Map<string, string[]>();
  for (const limit of new Set(limitsIn(schemas).toSorted())) {
    const [name = '', ...rest] = limit.split(' ');
    byName.set(name, [...(byName.get(name) ?? []), rest.join(' ')]);
  }
  return [...byName].map(([name, limits]) => `${name}: ${limits.join(', ')}`);
}

// Callers rely on what is published, so each figure stands here as well.

test('the description of the API has these limits', async () => {
  const { body } = await (await startRig()).call('GET /openapi.json');
  expect(linesOf(body)).toEqual([
    'actionDigest: maxLength 128',
    'actionIds: maxItems 200, maxLength 64, minItems 1',
    'actionType: maxLength 64, minLength 1',
    'actionTypes: maxItems 50, maxLength 64, minItems 1',
    'actions: maxItems 1, minItems 1',
    'address: maxLength 255',
    'agentCommand: maxLength 255',
    'app: maxLength 200, minLength 1',
    'apps: maxItems 10, maxItems 100, maxLength 200, maxLength 2000, minItems 1',
    'backoffMs: maximum 60000, minimum 0',
    'call_id: maxLength 128, minLength 1',
    'code: maxLength 128, maxLength 256, minLength 1',
    'comparedWith: maxLength 64',
    'comparedWithIds: maxItems 200, maxLength 64, minItems 1',
    'confidence: maximum 1, minimum 0',
    'coverage: maximum 1, minimum 0',
    'critical: maxItems 50, maxLength 64',
    'days: maximum 90, minimum 1',
    'dependsOn: maxItems 100, maxLength 64',
    'description: maxLength 500',
    'digest: maxLength 100',
    'display: maxLength 6',
    'displays: maxItems 64',
    'effectClasses: maxItems 3, minItems 1',
    'equal: maxItems 24',
    'exitCode: maximum 255, minimum 0',
    'file: maxLength 1000, minLength 1',
    'frameId: maxLength 64',
    'id: maxLength 128, maxLength 255, maxLength 256, minLength 1',
    'idempotency-key: maxLength 255, minLength 1',
    'levels: maxItems 4, minItems 1',
    'limit: maximum 500, minimum 1',
    'machine: maxLength 32',
    'maxAttempts: maximum 5, minimum 1',
    'maxLength: maximum 2000, minimum 1',
    'message: maxLength 4000',
    'minutes: maximum 480, maximum 60, minimum 1',
    'morePerHourThan: maximum 1000000, minimum 0',
    'morePerMinuteThan: maximum 100000, minimum 0',
    'name: maxLength 100, maxLength 200, maxLength 255, maxLength 32, maxLength 64, minLength 1',
    'nonce: maxLength 128',
    'note: maxLength 200, minLength 1',
    'nth: maximum 50, minimum 1',
    'onScreenMs: maximum 86400000, minimum 0',
    'parameters: maxProperties 20',
    'path: maxLength 4096, minLength 1',
    'paths: maxItems 100, maxLength 1000, minItems 1',
    'pattern: maxLength 200, minLength 1',
    'pending_safety_checks: maxItems 20',
    'points: maximum 400, maximum 500, minimum 1, minimum 2',
    'procedure: maxLength 100',
    'promptExpiryMs: maximum 600000, minimum 30000',
    'reason: maxLength 500',
    'role: maxLength 64, minLength 1',
    'rules: maxItems 100',
    'runOf: maxLength 64',
    'runs: maximum 10000, minimum 1',
    'score: maximum 100, minimum 0',
    'site: maxLength 255, minLength 1',
    'status: maxLength 64',
    'step: maxLength 64',
    'stepId: maxLength 64',
    'steps: maxItems 50, minItems 1',
    'targetDeviceId: maxLength 64',
    'taskId: maxLength 64',
    'text: maxLength 200, minLength 1',
    'timeoutMs: maximum 600000, minimum 1',
    'tool_use_id: maxLength 128, minLength 1',
    'type: maxLength 64, minLength 1',
    'under: maxLength 1000, minLength 1',
    'values: maxItems 50, maxLength 2000, minItems 1',
    'waitedMs: minimum 0',
    'window: maxLength 200, minLength 1',
    'windowsClosed: minimum 0',
    'withinMs: maximum 60000, minimum 100',
  ]);
});

test('the patterns of the API have these limits', async () => {
  const { body } = await (await startRig()).call('GET /openapi.json');
  const patterns = partsIn(body, '').flatMap(({ own }) => (typeof own.pattern === 'string' ? own.pattern : []));
  const limited = patterns.filter((pattern) => /\{\d/.test(pattern));
  expect([...new Set(limited)].toSorted()).toEqual([
    '^(?!local$)[a-z][a-z0-9-]{0,31}$',
    '^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@)?(?:[A-Za-z0-9][A-Za-z0-9._-]*|[A-Fa-f0-9:]+(?:%[A-Za-z0-9]+)?)$',
    String.raw`^(?:\*|[A-Za-z0-9._@:+-]{1,128})$`,
    '^:[0-9]{1,5}$',
    '^[0-9a-f]{182}$',
    '^[0-9a-f]{64}$',
    '^[A-Za-z0-9._@:+-]{1,128}$',
    '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
    String.raw`^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$`,
    '^[a-z][a-z0-9-]{0,31}$',
    '^[a-z][a-z0-9-]{0,39}$',
    String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
    ...['act', 'art', 'cnf', 'dev', 'ses', 'tsk'].map((prefix) => `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`),
  ]);
});

test('the parameters of the API have these defaults', async () => {
  const { body } = await (await startRig()).call('GET /openapi.json');
  const defaults = partsIn(body, '').flatMap(({ name, own }) =>
    typeof own.default === 'number' ? `${name} ${own.default}` : [],
  );
  expect([...new Set(defaults)].toSorted()).toEqual(['limit 50', 'points 60']);
});

test('a question to the agent has these limits', () => {
  expect(linesOf(ResolveTargetsParameters)).toEqual(['references: maxItems 64']);
});

test('the messages of the agent have these limits', () => {
  expect(linesOf(Object.values(link).filter((each) => typeof each === 'object'))).toEqual([
    'agentVersion: maxLength 64',
    'app: maxLength 200',
    'attachments: maxItems 8',
    'attempt: minimum 1',
    'bootId: maxLength 64',
    'deadlineMs: minimum 0',
    'defaultButton: maxLength 1000',
    'details: maxLength 20000',
    'displays: maxItems 64',
    'documents: maxItems 16, maxLength 2000',
    'fix: maxLength 2000',
    'height: minimum 0',
    'hostname: maxLength 255',
    'id: maxLength 128, maxLength 255, maxLength 64',
    'message: maxLength 4000',
    'name: maxLength 1000, maxLength 255',
    'names: minimum 1',
    'others: maxItems 20, maxLength 1000',
    'page: maxLength 2000',
    'path: maxLength 4096',
    'role: maxLength 64',
    'scriptsFail: maxLength 1000',
    'sizeBytes: minimum 0',
    'texts: maxItems 20, maxLength 1000',
    'title: maxLength 1000',
    'url: maxLength 2000',
    'width: minimum 0',
    'windowId: maxLength 64',
    'windowTitle: maxLength 1000',
  ]);
});

const WINDOW = 'windowId: maxLength 64, minLength 1';
const ELEMENT = 'elementId: maxLength 1024, minLength 1';
const PATH = 'path: maxLength 4096, minLength 1';
const AXES = ['x', 'y'].map((axis) => `${axis}: maximum 65536, minimum -65536`);
const PLACE = [ELEMENT, 'frameId: maxLength 64, minLength 1', ...AXES];

/** Every action type whose parameters have limits. */
const LIMITS_BY_TYPE: readonly [name: string, limits: string[]][] = [
  ['Click', [...PLACE, 'count: maximum 3, minimum 1', 'modifiers: maxItems 4']],
  ['CloseWindow', [WINDOW]],
  ['Drag', [...PLACE, 'modifiers: maxItems 4']],
  ['FocusWindow', [WINDOW]],
  ['InvokeMenu', ['path: maxItems 8, maxLength 200, minItems 1, minLength 1', WINDOW]],
  ['MinimizeWindow', [WINDOW]],
  ['MovePointer', PLACE],
  ['MoveWindow', [WINDOW]],
  ['OpenUrl', ['url: maxLength 2000, minLength 1']],
  [
    'PressKeys',
    ['holdMs: maximum 5000, minimum 0', 'keys: maxLength 64, minLength 1', 'repeat: maximum 100, minimum 1'],
  ],
  [
    'RequestAccess',
    [
      'apps: maxItems 10, maxLength 200, minItems 1, minLength 1',
      'minutes: maximum 480, minimum 1',
      'sites: maxItems 10, maxLength 260, minItems 1, minLength 1',
    ],
  ],
  ['Scroll', [...PLACE, ...['dx', 'dy'].map((axis) => `${axis}: maximum 100, minimum -100`)]],
  ['SetValue', [ELEMENT, 'value: maxLength 10000']],
  ['TypeText', [...PLACE, 'text: maxLength 10000, minLength 1']],
  [
    'WaitFor',
    [
      'name: maxLength 200',
      'role: maxLength 64',
      'stableMs: maximum 10000, minimum 0',
      'text: maxLength 200, minLength 1',
      'windowTitle: maxLength 200, minLength 1',
    ],
  ],
  ['WriteClipboard', ['text: maxLength 1000000']],
  ['DescribeScreen', ['maxElements: maximum 10000, minimum 1', 'region: maxLength 64, minLength 1']],
  ['ListFiles', ['depth: maximum 5, minimum 1', 'limit: maximum 5000, minimum 1', PATH]],
  ['MoveFile', ['from: maxLength 4096, minLength 1', 'to: maxLength 4096, minLength 1']],
  ['OpenApp', ['appName: maxLength 200, minLength 1']],
  ['QuitApp', ['appName: maxLength 200, minLength 1']],
  ['ReadFile', ['maxBytes: maximum 10485760, minimum 1', PATH]],
  [
    'RunScript',
    [
      'env: maxLength 4096, maxProperties 64',
      'folder: maxLength 4096, minLength 1',
      'network: maxItems 16, maxLength 253, minLength 1',
      'okExitCodes: maxItems 16, maximum 255, minItems 1, minimum 0',
      'script: maxLength 60000, minLength 1',
      'writes: maxItems 16, maxLength 4096, minLength 1',
    ],
  ],
  [
    'TakeScreenshot',
    [
      'height: maximum 32767, minimum 1',
      'maxEdge: maximum 16384, minimum 16',
      'maxPixels: maximum 268435456, minimum 256',
      'maxWidth: maximum 16384, minimum 16',
      'quality: maximum 100, minimum 1',
      'width: maximum 32767, minimum 1',
      WINDOW,
    ],
  ],
  ['TrashFile', [PATH]],
  ['Wait', ['durationMs: maximum 60000, minimum 0']],
  ['WriteFile', ['content: maxLength 60000', PATH]],
];

test.each(LIMITS_BY_TYPE)('the parameters of %s have these limits', (name, limits) => {
  expect(linesOf(CATALOGUE.get(name)?.parameters)).toEqual(limits.toSorted());
});

test('no other type of action has parameters with limits', () => {
  const limited = [...CATALOGUE.values()].filter(({ parameters }) => linesOf(parameters).length > 0);
  expect(limited.map(({ name }) => name).toSorted()).toEqual(LIMITS_BY_TYPE.map(([name]) => name).toSorted());
});
