import autocannon from 'autocannon';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import { until } from '../desktop/processes.ts';
import type { Console, RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

/** From the person's press to the end of the last of four long actions, with a prompt open. */
export async function benchEmergencyStop(daemon: RunningDaemon, person: Console, report: Report): Promise<void> {
  report.heading('Emergency stop, with four long actions running and a prompt open');
  const device = await daemon.register({ canCaptureScreen: true }, 'sam');
  const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
  const samples: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    const body = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 60_000 } };
    const held = [1, 2, 3, 4].map(() => daemon.submit(body, { userId: 'sam' }));
    const status = async () => (await daemon.call<ConsoleStatus>('/api/console/status', { headers })).body;
    await until('four actions run', async () => (await status()).running === 4);
    await daemon.submit(
      { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters: { maxWidth: 100 + count } },
      { userId: 'sam' },
    );
    const pressedAtMs = performance.now();
    const paused = daemon.call('/api/console/pause', { method: 'POST', headers });
    await Promise.all(held);
    samples.push(performance.now() - pressedAtMs);
    await paused;
    await daemon.call('/api/console/resume', { method: 'POST', headers });
  }
  report.figure({ name: 'to the last effect, p50 of 10', value: median(samples), unit: 'ms' });
  report.figure({
    name: 'to the last effect, slowest',
    value: Math.max(...samples),
    unit: 'ms',
    goal: { atMost: 200 },
  });
}

/** `/health` while one user floods the daemon with submissions that ask. */
export async function benchFlood(daemon: RunningDaemon, report: Report): Promise<void> {
  report.heading('A thousand submissions that ask, from one user, on 64 connections');
  const device = await daemon.register({ canCaptureScreen: true }, 'flo');
  let isOver = false;
  const flood = autocannon({
    url: `${daemon.base}/api/tee/actions`,
    workers: 1,
    connections: 64,
    amount: 1_000,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': 'flo' },
    body: JSON.stringify({ targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters: {} }),
  });
  void flood.then(() => {
    isOver = true;
  });
  const latencies: number[] = [];
  while (!isOver) {
    const askedAtMs = performance.now();
    await daemon.health();
    latencies.push(performance.now() - askedAtMs);
  }
  const result = await flood;
  report.figure({
    name: '/health meanwhile, p99',
    value: quantile(latencies, 0.99),
    unit: 'ms',
    goal: { atMost: 50 },
    note: `${latencies.length} samples`,
  });
  report.figure({ name: 'accepted (202)', value: result['2xx'], unit: '', goal: { atMost: 25 } });
}
