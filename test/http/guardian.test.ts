import { expect, test } from 'vitest';
import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import { done, notDone, type Rig as ServiceRig, startServices } from '../services/rig.ts';
import { type Answer, type Rig, signIn, startRig } from './rig.ts';

const PATHS = [
  '/metrics',
  '/metrics?window=24h&type=action_rate,confirmation_prompt_rate',
  '/metrics/action_rate/series?points=12',
  '/tee/metrics',
  '/tee/metrics?window=7d',
  '/tee/metrics?window=7d&by=hour,user,type,risk,status',
  '/tee/actions',
  '/tee/actions?since=1h&limit=5',
  '/tee/tasks',
  '/trends',
  '/trends?all=true',
  '/insights',
  '/insights?severity=high,critical&category=oversight&actionable=true',
  '/dashboard',
  '/dashboard?window=1h',
];

test('on an empty database all 23 metrics are there, in order, and nothing is told that is not known', async () => {
  const { rig } = await start();
  const { status, body } = await get(rig, '/metrics');
  expect(status).toBe(200);
  expect(itemsIn(body).map((item) => item.type)).toEqual(METRIC_TYPES);
  const known = itemsIn(body).filter((item) => item.value !== null);
  expect(known.map((item) => [item.type, item.value])).toEqual([]);
  expect(itemsIn(body)[3]).toEqual({
    type: 'action_success_rate',
    category: 'reliability',
    value: null,
    unit: 'ratio',
    status: 'insufficient_data',
    direction: 'high',
    target: { green: 0.95, red: 0.7 },
    sampleSize: 0,
    coverage: 0,
    window: Object(body).window,
  });
});

test.each(PATHS)('on an empty database the answer is whole, and as described: GET /api/guardian%s', async (path) => {
  const { rig } = await start();
  const { status, body } = await get(rig, path);
  expect(status).toBe(200);
  expect(Object.keys(Object(body))).not.toEqual([]);
});

test.each(['1m', '5m', '15m', '1h', '6h', '24h', '7d', '30d', '90d'])(
  'on an empty database a window of %s has all 23 metrics in order, with nothing claimed',
  async (window) => {
    const { rig } = await start();
    for (const path of [`/metrics?window=${window}`, `/dashboard?window=${window}`]) {
      const { body } = await get(rig, path);
      const metrics: { type: string; value: unknown; status: string }[] = Object(body).items ?? Object(body).metrics;
      expect(metrics.map(({ type }) => type)).toEqual(METRIC_TYPES);
      expect(metrics.filter(({ value, status }) => value !== null || status !== 'insufficient_data')).toEqual([]);
    }
  },
);

test('an empty dashboard has its whole shape', async () => {
  const { rig, clock } = await start();
  const { body } = await get(rig, '/dashboard');
  expect(body).toMatchObject({
    generatedAt: new Date(clock.nowMs()).toISOString(),
    window: { length: 86_400_000 },
    risk: { score: 0, level: 'low', confidence: 0, contributors: [] },
    warnings: [],
    insights: [],
    trends: [],
  });
  expect(Object(body).metrics).toHaveLength(23);
});

test('where the caller names no number of points, two hours are cut into 60 parts', async () => {
  const { rig } = await start();
  const { body } = await get(rig, '/metrics/action_rate/series?window=2h');
  expect(Object(body).points).toHaveLength(60);
});

test('what is counted is what happened', async () => {
  const { rig } = await busy();
  const { body } = await get(rig, '/tee/metrics');
  expect(body).toMatchObject({
    actions: {
      total: 5,
      byStatus: { success: 1, failed: 1, running: 1, awaiting_confirmation: 2 },
      byType: { Wait: 3, OpenApp: 2 },
    },
    tasks: { total: 1, byStatus: { running: 1, success: 0 } },
    confirmations: { total: 2, byOutcome: { allowed: 0, denied: 0, expired: 0 } },
  });
});

test.each(['10m', '7d'])('actions are grouped by what they have in common, over %s', async (window) => {
  const { rig } = await busy();
  const { body } = await get(rig, `/tee/metrics?window=${window}&by=type,status`);
  expect(Object(body).groups).toMatchObject({
    by: ['type', 'status'],
    items: [
      { type: 'OpenApp', status: 'awaiting_confirmation', count: 2 },
      { type: 'Wait', status: 'failed', count: 1 },
      { type: 'Wait', status: 'running', count: 1 },
      { type: 'Wait', status: 'success', count: 1 },
    ],
  });
  const unknown = await get(rig, `/tee/metrics?window=${window}&by=colour`);
  expect(Object(unknown.body)).toMatchObject({ groups: { items: [] }, notices: [expect.stringContaining('colour')] });
});

test.each(PATHS)(
  'without a user: nothing of what was typed, opened, read or claimed: GET /api/guardian%s',
  async (path) => {
    const { rig } = await busy();
    const { status, body } = await get(rig, path);
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringMatching(/zinnober/i)]);
  },
);

test('the log of tasks names their steps to their user, and nothing they are about', async () => {
  const { rig } = await busy();
  const headers = { 'x-user-id': 'zinnober-user' };
  const items = itemsIn((await rig.call('GET /api/guardian/tee/tasks', { headers })).body);
  expect(items).toMatchObject([
    { status: 'running', steps: [{ stepId: 'first', actionType: 'Wait', dependsOn: [], status: 'running' }] },
  ]);
  const actions = itemsIn((await rig.call('GET /api/guardian/tee/actions', { headers })).body);
  expect(actions[0]).toMatchObject({ taskId: items[0]?.taskId, stepId: 'first' });
});

test('step ids are pseudonyms to everybody else, the same in every answer of Guardian', async () => {
  const { rig, services, clock } = await start();
  await failThreeTimes(services, ['call-dr-miller', 'report-to-eve']);
  clock.advance(60_000);
  const read = async (headers: Record<string, string>) => {
    const bodies = await Promise.all(
      PATHS.map(async (path) => (await rig.call(`GET /api/guardian${path}`, { headers })).body),
    );
    return JSON.stringify(bodies);
  };
  const [task] = itemsIn((await get(rig, '/tee/tasks')).body);
  const [first, second] = Object(task).steps;
  expect(first).toMatchObject({ stepId: expect.stringMatching(/^step-[0-9a-f]{8}$/), dependsOn: [] });
  expect(second).toMatchObject({
    stepId: expect.stringMatching(/^step-[0-9a-f]{8}$/),
    dependsOn: [first.stepId],
    status: 'skipped',
  });
  expect(second.stepId).not.toBe(first.stepId);
  const actions = itemsIn((await get(rig, '/tee/actions')).body);
  expect(actions.map(({ stepId }) => stepId)).toEqual([first.stepId, first.stepId, first.stepId]);
  const others: Record<string, string>[] = [{}, { 'x-user-id': 'bob' }];
  for (const headers of others) expect(await read(headers)).not.toMatch(/miller|report-to-eve/);
  expect(await read({ 'x-user-id': 'ann' })).toContain('"stepId":"call-dr-miller"');
  const { authorization } = await signIn(rig);
  expect(await read({ authorization })).toContain('report-to-eve');
});

test('a user is a pseudonym to others, and their own name to themselves and to the person', async () => {
  const { rig } = await busy();
  const names = async (headers: Record<string, string>) => {
    const { body } = await rig.call('GET /api/guardian/tee/actions', { headers });
    return [...new Set(itemsIn(body).map((item) => item.userId))];
  };
  const [pseudonym] = await names({});
  expect(pseudonym).toMatch(/^user-[0-9a-f]{4}$/);
  expect(await names({ 'x-user-id': 'bob' })).toEqual([pseudonym]);
  expect(await names({ 'x-user-id': 'zinnober-user' })).toEqual(['zinnober-user']);
  const { authorization } = await signIn(rig);
  expect(await names({ authorization })).toEqual(['zinnober-user']);
});

test('a flood of prompts becomes one insight, which is found by its severity and category', async () => {
  const { rig, services, clock } = await start();
  for (let count = 0; count < 20; count += 1) {
    const userId = `user${count}`;
    const { device } = services.services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: {} });
    await services.submit({ ...SECRET_OPEN('Mail'), targetDeviceId: device.id }, { userId, waitMs: 0 });
  }
  clock.advance(60_000);
  const found = itemsIn((await get(rig, '/insights?severity=info&category=oversight&actionable=true')).body);
  expect(found.map((item) => [item.title, item.status, item.count])).toEqual([
    ['Handrail asked you 20 times in an hour', 'open', 1],
  ]);
  expect(itemsIn((await get(rig, '/insights?severity=critical')).body)).toEqual([]);
});

test('the person says that they know of an insight; nobody else can', async () => {
  const { rig, services } = await start();
  services.services.noteRefusal({ refused: 'user_key_invalid' });
  const [insight] = itemsIn((await get(rig, '/insights')).body);
  const acknowledge = (headers: Record<string, string>, id = insight?.id) =>
    rig.call(`POST /api/console/insights/${id}/acknowledge`, { headers: { origin: rig.url, ...headers } });
  const refused = { status: 403, body: { code: 'approval_requires_person' } };
  expect(await acknowledge({ 'x-user-id': 'ann' })).toMatchObject(refused);
  const { authorization } = await signIn(rig);
  const known = { ...insight, status: 'acknowledged' };
  expect(await acknowledge({ authorization })).toMatchObject({ status: 200, body: known });
  expect(await acknowledge({ authorization }, 'ins_other')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(itemsIn((await get(rig, '/insights')).body)).toEqual([known]);
});

test('queries are forgiving, except where nothing can be made of them', async () => {
  const { rig } = await start();
  expect((await get(rig, '/metrics?type=nonsense&colour=red')).body).toMatchObject({
    items: [],
    notices: [expect.stringContaining('nonsense'), expect.stringContaining('colour')],
  });
  for (const path of [
    '/metrics?window=91d',
    '/metrics?window=soon',
    '/metrics?from=1h',
    '/metrics?from=1&to=1',
    '/insights?actionable=perhaps',
  ]) {
    expect([path, (await get(rig, path)).status]).toEqual([path, 400]);
  }
});

test.each([
  ['/metrics?window=soon', 'The query parameter "window" must be a span from 1m to 90d, such as 15m, 24h or 7d.'],
  ['/dashboard?from=1h', 'The query parameter "to" must come together with "from", and without "window".'],
  ['/tee/metrics?to=1h&window=1h', 'The query parameter "from" must come together with "to", and without "window".'],
  [
    '/metrics?from=2h&to=1h&window=1h',
    'The query parameter "window" cannot come together with "from" and "to": leave out it or them.',
  ],
  ['/metrics?from=1h&to=2h', 'The query parameter "to" must be after "from", by at most 90 days.'],
  ['/metrics?window=1h&window=2h', 'The query parameter "window" came more than once: give it once.'],
  [
    '/tee/actions?limit=none&since=soon',
    'The query parameter "limit" must be a number from 1 to 500. ' +
      'The query parameter "since" must be an ISO time with Z or an offset, epoch milliseconds, or a span such as 15m.',
  ],
  [
    '/metrics?from=1785000000&to=1785003600',
    ['from', 'to']
      .map(
        (name) =>
          `The query parameter "${name}" must be in milliseconds where it is a number; in seconds, multiply it by 1000.`,
      )
      .join(' '),
  ],
  [
    '/tee/tasks?since=2026-07-29T12:00:00.123456',
    'The query parameter "since" must say its zone: Z for UTC, or an offset such as +02:00, as in 2026-07-29T12:00:00.123456Z.',
  ],
  ['/insights?actionable=perhaps', 'The query parameter "actionable" must be true or false.'],
  ['/metrics/nonsense/series', `The path parameter "type" must be one of ${METRIC_TYPES.join(', ')}.`],
])('what cannot be read is refused in whole sentences: GET /api/guardian%s', async (path, detail) => {
  const { rig } = await start();
  expect(await get(rig, path)).toMatchObject({ status: 400, body: { code: 'validation_failed', detail } });
});

test('a window between two moments is widened to minutes', async () => {
  const { rig } = await start();
  const { body } = await get(rig, '/metrics?from=2026-01-01T00:00:30Z&to=2026-01-01T00:02:10Z');
  expect(Object(body).window).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-01T00:03:00.000Z',
    length: 180_000,
  });
});

const SECRET_OPEN = (appName: string) => ({ actionType: 'OpenApp', parameters: { appName }, reason: 'Zinnober asked' });

async function start() {
  const services = startServices();
  const rig = await startRig({ guardian: services.services.guardian });
  return { rig, services, clock: services.clock };
}

/** A daemon at which somebody with a name has said, opened and read things that are nobody else's business. */
async function busy() {
  const started = await start();
  const { services } = started;
  services.agent.become('online');
  const registered = services.services.devices.register('zinnober-user', {
    type: 'linux',
    name: 'Zinnober desk',
    capabilities: {},
  });
  const targetDeviceId = registered.device.id;
  const submit = (body: Parameters<ServiceRig['submit']>[0]) =>
    services.submit({ targetDeviceId, ...body }, { userId: 'zinnober-user', waitMs: 0 });
  await submit({ parameters: { durationMs: 5 }, reason: 'zinnober' });
  await services.agent.answer(done({ details: 'Zinnober was read.', data: { text: 'zinnober' } }));
  await submit({ parameters: { durationMs: 5 }, reason: 'zinnober' });
  await services.agent.answer(notDone({ message: 'There is no app Zinnober.' }));
  await submit(SECRET_OPEN('Zinnober'));
  await submit(SECRET_OPEN('Zinnober Pro'));
  await services.services.tasks.submit({
    userId: 'zinnober-user',
    gone: new AbortController().signal,
    body: {
      name: 'Zinnober task',
      reason: 'zinnober',
      steps: [{ id: 'first', actionType: 'Wait', targetDeviceId, parameters: { durationMs: 5 } }],
    },
    waitMs: 0,
  });
  return started;
}

/** Three tasks of ann's, the first step of which fails each time, so that the second is skipped. */
async function failThreeTimes(services: ServiceRig, [first, second]: [string, string]): Promise<void> {
  services.agent.become('online');
  const step = { actionType: 'Wait', targetDeviceId: services.deviceId, parameters: { durationMs: 5 } };
  for (let count = 0; count < 3; count += 1) {
    const steps = [
      { id: first, ...step },
      { id: second, ...step, dependsOn: [first] },
    ];
    const gone = new AbortController().signal;
    await services.services.tasks.submit({ userId: 'ann', gone, body: { steps }, waitMs: 0 });
    await services.agent.answer(notDone());
  }
}

function get(rig: Rig, path: string): Promise<Answer> {
  return rig.call(`GET /api/guardian${path}`);
}

function itemsIn(body: unknown): Record<string, unknown>[] {
  return Object(body).items;
}
