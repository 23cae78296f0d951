import { expect } from 'vitest';
import { fromOtherBuild } from '../store/other-build.ts';
import { startServices, test } from './rig.ts';

const MINUTE_MS = 60_000;

test('a part of a series in which the daemon was off has no value, and one in which nothing was requested is 0', async () => {
  const rig = startServices();
  const startMs = rig.clock.nowMs();
  const note = (kind: string) =>
    rig.store.write('relaxed', () => rig.store.journal.append(rig.clock.nowMs(), fromOtherBuild({ kind })));
  rig.agent.become('online');
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 5 } });
  rig.clock.advance(20 * MINUTE_MS);
  note('daemon.stopped');
  rig.clock.advance(10 * MINUTE_MS);
  note('daemon.started');
  const span = { fromMs: startMs, toMs: startMs + 30 * MINUTE_MS };
  const { points } = rig.services.guardian.series('action_rate', span, 3);
  expect(points.map(({ value, coverage }) => [value, coverage])).toEqual([
    [4, 1],
    [0, 1],
    [null, 0],
  ]);
  const coverageOf = (fromMs: number, toMs: number) =>
    rig.services.guardian.telemetry({ kind: 'person' }, { fromMs, toMs }).coverage;
  const [middleMs, offMs] = [startMs + 10 * MINUTE_MS, startMs + 20 * MINUTE_MS];
  expect([coverageOf(middleMs, offMs), coverageOf(offMs, span.toMs)]).toEqual([1, 0]);
});
