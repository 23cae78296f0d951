import { expect, it } from 'vitest';
import { done, type Rig, startServices } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

it('has a point for every minute of a short window', async () => {
  const rig = startServices();
  await ran(rig);
  rig.clock.advance(2 * MINUTE_MS);
  await ran(rig);
  expect(requestsIn(rig, { lengthMs: 5 * MINUTE_MS }, 60)).toEqual([0, 0, 1, 0, 1]);
});

it('goes by whole hours where a window is long, in no more steps than were asked for', async () => {
  const rig = startServices();
  rig.clock.advance(20 * MINUTE_MS);
  await ran(rig);
  rig.clock.setWallClock(rig.clock.nowMs() + 30 * HOUR_MS);
  await ran(rig);
  const { points } = rig.services.guardian.series('action_burst_peak', { lengthMs: 2 * DAY_MS }, 12);
  expect(points.length).toBeLessThanOrEqual(12);
  expect(points.filter(({ at }) => !at.endsWith(':00:00.000Z'))).toEqual([]);
  expect(requestsIn(rig, { lengthMs: 2 * DAY_MS }, 12).reduce((sum, count) => sum + count, 0)).toBe(2);
});

it('goes by hours where minutes are no longer kept', async () => {
  const rig = startServices();
  rig.clock.advance(90 * MINUTE_MS);
  const atMs = rig.clock.nowMs();
  await ran(rig);
  rig.clock.setWallClock(atMs + 36 * DAY_MS);
  await ran(rig);
  rig.store.write('relaxed', () => rig.store.recording.prune(rig.clock.nowMs()));
  const old = { fromMs: atMs - 10 * MINUTE_MS, toMs: atMs + 10 * MINUTE_MS };
  expect(requestsIn(rig, old, 60)).toEqual([1]);
});

async function ran({ submit, agent }: Rig): Promise<void> {
  const answer = submit({ parameters: { durationMs: 1 } });
  await new Promise(setImmediate);
  await agent.answer(done());
  await answer;
}

function requestsIn({ services }: Rig, request: Parameters<Rig['services']['guardian']['metrics']>[0], points: number) {
  return services.guardian.series('action_burst_peak', request, points).points.map(({ sampleSize }) => sampleSize);
}
