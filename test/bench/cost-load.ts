import { setTimeout as pause } from 'node:timers/promises';

/**
 * The load of one row of D1, as a process of its own: `cost-load.ts <base> <load>`. It sends until it is ended, answers on
 * standard output how many calls were answered with which status, and never sends faster than one caller could.
 */
const [base = '', load = ''] = process.argv.slice(2);
const statuses = new Map<number, number>();
const LOADS: Record<string, () => Promise<void>> = { names, plans, lists };
const end = new AbortController();
process.once('SIGTERM', () => end.abort());

await LOADS[load]?.().catch(() => undefined);
console.log(JSON.stringify(Object.fromEntries(statuses)));
process.exit();

/** A body of 1 MiB with 120,000 unknown names, once a second. */
async function names(): Promise<void> {
  const unknown = Array.from({ length: 120_000 }, (_, index) => [index.toString(36).padStart(4, 'k'), 1]);
  const body = JSON.stringify(Object.fromEntries(unknown)).padEnd(1024 * 1024);
  while (!end.signal.aborted) {
    await call('/api/tee/tasks', 'eve', body);
    await pause(1_000, undefined, { signal: end.signal });
  }
}

/** A hundred plans of a hundred steps, of four users: each may have twenty-five that wait. */
async function plans(): Promise<void> {
  const devices = await Promise.all([0, 1, 2, 3].map((user) => register(`maker-${user}`)));
  for (let plan = 0; plan < 100 && !end.signal.aborted; plan += 1) {
    const steps = Array.from({ length: 100 }, (_, n) => ({
      id: `s${n}`,
      actionType: 'TakeScreenshot',
      targetDeviceId: devices[plan % 4],
      parameters: { region: { x: plan, y: n, width: 32_000, height: 32_000 }, format: 'jpeg', maxWidth: 100 + n },
    }));
    await call('/api/tee/tasks', `maker-${plan % 4}`, JSON.stringify({ steps }));
  }
  await pause(60_000, undefined, { signal: end.signal });
}

/** Lists of 500 on 24 connections, without a pause. */
async function lists(): Promise<void> {
  const one = async () => {
    while (!end.signal.aborted) await call('/api/tee/tasks?limit=500', 'ann');
  };
  await Promise.all(Array.from({ length: 24 }, one));
}

async function register(userId: string): Promise<string> {
  const body = JSON.stringify({ type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } });
  const headers = { 'x-user-id': userId, 'content-type': 'application/json' };
  const response = await fetch(`${base}/api/tee/devices/register`, { method: 'POST', headers, body });
  return String(Object(await response.json()).id);
}

async function call(path: string, userId: string, body?: string): Promise<void> {
  const response = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-user-id': userId, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
    signal: end.signal,
  });
  await response.arrayBuffer();
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
}
