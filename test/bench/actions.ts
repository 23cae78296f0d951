import autocannon from 'autocannon';
import { createClient } from '../../src/client/handrail.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, timed } from './statistics.ts';

const SECONDS = 5;

/** An action that does nothing, from the HTTP call to the agent and back, beside `/health` on the same server. */
export async function benchActions(daemon: RunningDaemon, report: Report): Promise<void> {
  report.heading('An action that does nothing (Wait of 0 ms): HTTP, store, journal, link, agent and back');
  const device = await daemon.register();
  const body = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } };
  await load(daemon, { connections: 4, seconds: 1, body });
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  const alone = await timed({ calls: shortened(1_500), warmUp: shortened(300) }, () => client.act(body));
  report.figure({
    name: 'one after the other, client included, p50',
    value: median(alone),
    unit: 'ms',
    goal: { atMost: 3 },
  });
  const single = await load(daemon, { connections: 1, seconds: SECONDS, body });
  report.figure({
    name: 'one connection',
    value: single.perSecond,
    unit: '/s',
    note: `p50 ${(1_000 / single.perSecond).toFixed(2)} ms by rate`,
  });
  const many = await load(daemon, { connections: 16, seconds: SECONDS, body });
  report.figure({ name: '16 connections', value: many.perSecond, unit: '/s' });
  report.figure({ name: '16 connections, p50', value: many.p50Ms, unit: 'ms' });
  report.figure({ name: '16 connections, not 2xx', value: many.failed, unit: '', goal: { atMost: 0 } });
  const health = await load(daemon, { connections: 16, seconds: SECONDS });
  report.figure({ name: '/health on 16 connections', value: health.perSecond, unit: '/s' });
  report.figure({ name: '/health per action', value: health.perSecond / many.perSecond, unit: '×' });
}

type Load = { connections: number; seconds: number; body?: object };

async function load(daemon: RunningDaemon, { connections, seconds, body }: Load) {
  const result = await autocannon({
    url: `${daemon.base}${body === undefined ? '/health' : '/api/tee/actions'}`,
    connections,
    duration: seconds,
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-user-id': 'ann' },
          body: JSON.stringify(body),
        }),
  });
  return {
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    failed: result.non2xx + result.errors,
  };
}
