import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { Device } from '../../src/contract/device.ts';
import type { RequesterTodayList } from '../../src/contract/telemetry.ts';
import { createStore } from '../../src/store/store.ts';
import { callAt, EVERYTHING } from '../e2e/daemon.ts';
import { shareOf } from '../runner/share.ts';
import { temporaryFolder } from '../store/rig.ts';

const MINUTE_MS = 60_000;
const DAEMON = new URL('../bench/guardian-daemon.ts', import.meta.url);

const CHANGES: [string, { midnight: string; change: string; nextMidnight: string }][] = [
  ['summer', { midnight: '2026-03-28T23:00Z', change: '2026-03-29T01:00Z', nextMidnight: '2026-03-29T22:00Z' }],
  ['winter', { midnight: '2026-10-24T22:00Z', change: '2026-10-25T01:00Z', nextMidnight: '2026-10-25T23:00Z' }],
];

test.each(shareOf(CHANGES, 2))(
  'a daemon in Berlin that is killed around the change to %s time counts each request once, and on its local day',
  async (_season, times) => {
    const [midnightMs, changeMs, nextMidnightMs] = [times.midnight, times.change, times.nextMidnight].map(Date.parse);
    const path = temporaryFolder();
    const today = [
      await lived(path, (changeMs ?? 0) - 500, 3),
      await lived(path, (nextMidnightMs ?? 0) - 10 * MINUTE_MS, 2),
      await lived(path, (nextMidnightMs ?? 0) + MINUTE_MS, 1),
    ];
    expect(today).toEqual([3, 5, 1]);

    const nowMs = (nextMidnightMs ?? 0) + 2 * MINUTE_MS;
    const store = createStore({ path, now: () => nowMs });
    onTestFinished(() => store.close());
    const counted = () => store.recording.recorded({ fromMs: midnightMs ?? 0, toMs: nowMs }, nowMs).rollup;
    const before = counted();
    expect(before.counters).toMatchObject({ requested: 6 });
    store.write('relaxed', store.recording.rebuild);
    expect(counted()).toEqual(before);
  },
  120_000,
);

/** A daemon of that moment is asked for some actions, and killed. Answers how many requests it told of today. */
async function lived(path: string, atMs: number, requests: number): Promise<number> {
  const child = fork(DAEMON, [path, String(atMs), 'online'], { env: { ...process.env, TZ: 'Europe/Berlin' } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { port, code } = await started(child);
  const base = `http://127.0.0.1:${port}`;
  const body = { type: 'linux', name: 'Desk', capabilities: EVERYTHING };
  const device = await callAt<Device>(base, '/api/tee/devices/register', { userId: 'ann', body });
  for (let count = 0; count < requests; count += 1) {
    const action = { targetDeviceId: device.body.deviceId, actionType: 'Wait', parameters: { durationMs: count + 1 } };
    const asked = { userId: 'ann', headers: { prefer: 'wait=0' }, body: action };
    const { status, body: answer } = await callAt(base, '/api/tee/actions', asked);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  }
  const headers = { origin: base };
  const session = await callAt<{ key: string }>(base, '/api/console/session', { body: { code }, headers });
  const authorization = `Bearer ${session.body.key}`;
  const lines = await callAt<RequesterTodayList>(base, '/api/console/guardian/requesters', {
    headers: { ...headers, authorization },
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  return Number(/: (\d+) requests?/.exec(lines.body.items[0]?.words ?? '')?.[1]);
}

async function started(child: ChildProcess): Promise<{ port: number; code: string }> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the daemon ended with code ${code}`);
  });
  ended.catch(() => undefined);
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message as { port: number; code: string };
}
