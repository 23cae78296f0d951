import { expect } from 'vitest';
import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import { startWhole, test } from './whole-rig.ts';

const PATH = '/api/console/guardian';

test('the person reads series of all 23 metrics, or of those they name, in no more than 400 points', async () => {
  const rig = await startWhole();
  rig.clock.advance(1_000);
  const headers = await rig.signIn();
  const get = async (query: string) => (await rig.call(`GET ${PATH}/series${query}`, { headers })).body;
  const typesIn = ({ items }: Record<string, unknown>) => Object(items).map(({ type }: { type: string }) => type);
  expect(typesIn(await get('?window=24h&points=24'))).toEqual(METRIC_TYPES);
  const two = await get('?metric=device_readiness,action_rate&window=7d&points=9999&usual=true');
  expect(typesIn(two)).toEqual(['action_rate', 'device_readiness']);
  const [first] = Object(two.items);
  expect(first.points.length).toBeLessThanOrEqual(400);
  expect(first.points.length).toBeGreaterThan(200);
  expect(first.points.at(-1)).toMatchObject({ value: 0, usual: null });
  expect(two).not.toHaveProperty('breakdown');
  expect(await get('?metric=action_rate&breakdown=true')).toMatchObject({ breakdown: { isShare: false } });
  expect(await get('?metric=action_retry_rate&breakdown=true')).toMatchObject({ breakdown: { isShare: true } });
  expect(await get('?metric=device_readiness&breakdown=true')).toMatchObject({ breakdown: null });
});

test('where the person names no number of points, there are at most 60', async ({ rig }) => {
  const headers = await rig.signIn();
  const stepOf = async (path: string) => (await rig.call(`GET ${PATH}/${path}`, { headers })).body.stepMs;
  for (const path of ['series', 'outcomes']) {
    const steps = await Promise.all(['24h', '58m', '61m'].map((window) => stepOf(`${path}?window=${window}`)));
    expect([path, ...steps]).toEqual([path, 1_800_000, 60_000, 120_000]);
  }
});

test('outcomes over time come with the step between their points', async ({ rig }) => {
  const headers = await rig.signIn();
  rig.store.write('relaxed', () => rig.store.journal.append(rig.clock.nowMs(), { kind: 'daemon.paused' }));
  const { status, body } = await rig.call(`GET ${PATH}/outcomes?window=24h&points=49`, { headers });
  expect([status, body.stepMs]).toEqual([200, 1_800_000]);
  expect(Object(body.points).at(-1)).toMatchObject({ succeeded: 0, prompts: 0, pauses: 1 });
});

test('a query that cannot be read is refused, and nobody but the person reads series', async ({ rig }) => {
  const headers = await rig.signIn();
  for (const path of ['series?points=1', 'series?window=91d', 'outcomes?from=1', 'series?usual=perhaps']) {
    expect([path, (await rig.call(`GET ${PATH}/${path}`, { headers })).status]).toEqual([path, 400]);
  }
  const unknown = await rig.call(`GET ${PATH}/series?metric=nonsense&colour=red`, { headers });
  expect(unknown.body).toMatchObject({ items: [], notices: [expect.any(String), expect.any(String)] });
});
