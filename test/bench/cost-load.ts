import { setTimeout as pause } from 'node:timers/promises';

/**
 * The load of one row of D1, as a process of its own: `cost-load.ts <base> <load>`. It runs until it is ended. It writes `sent` to
 * standard output when a load of limited length was sent, and at the end how many calls were answered with which status. It never
 * sends faster than one caller could, and sends a call that was refused for now again after as many seconds as `Retry-After` says.
 */
const [base = '', load = ''] = process.argv.slice(2);
const statuses = new Map<number, number>();
const LOADS: Record<string, () => Promise<void>> = { names, plans, lists, references, waits, scripts };
const end = new AbortController();
process.once('SIGTERM', () => end.abort());

await LOADS[load]?.().catch(() => undefined);
console.log(JSON.stringify(Object.fromEntries(statuses)));
process.exit();

/** A body of 256 KiB with 30,000 unknown names, once a second. */
async function names(): Promise<void> {
  const unknown = Array.from({ length: 30_000 }, (_, index) => [index.toString(36), 1]);
  const body = JSON.stringify(Object.fromEntries(unknown)).padEnd(256 * 1024);
  for (let turn = 0; !end.signal.aborted; turn += 1) {
    await call('/api/tee/tasks', `made-up-${turn}`, body);
    await pause(1_000, undefined, { signal: end.signal });
  }
}

/** Eighty plans of a hundred steps, of eight users: each may have a thousand steps. */
async function plans(): Promise<void> {
  const devices = await Promise.all(Array.from({ length: 8 }, (_, user) => register(`maker-${user}`)));
  for (let plan = 0; plan < 80 && !end.signal.aborted; plan += 1) {
    const steps = Array.from({ length: 100 }, (_, n) => ({
      id: `s${n}`,
      actionType: 'TakeScreenshot',
      targetDeviceId: devices[plan % 8],
      parameters: { region: { x: plan, y: n, width: 32_000, height: 32_000 }, format: 'jpeg', maxWidth: 100 + n },
    }));
    await call('/api/tee/tasks', `maker-${plan % 8}`, JSON.stringify({ steps }));
  }
  await untilEnded();
}

/** Lists of 500 on 24 connections, without a pause. */
async function lists(): Promise<void> {
  const one = async () => {
    while (!end.signal.aborted) await call('/api/tee/tasks?limit=500', 'ann');
  };
  await Promise.all(Array.from({ length: 24 }, one));
}

/** Tasks of made-up users whose steps refer to a result of 64 KiB. The result lacks the value, so no step asks the person. */
async function references(): Promise<void> {
  for (let turn = 0; !end.signal.aborted; turn += 1) {
    const userId = `made-up-${turn}`;
    const targetDeviceId = await register(userId);
    const look = { id: 'look', actionType: 'DescribeScreen', targetDeviceId, parameters: {} };
    const parameters = { durationMs: { $from: 'look.data.nothing' } };
    const steps = Array.from({ length: 99 }, (_, n) => {
      return { id: `s${n}`, actionType: 'Wait', targetDeviceId, parameters, dependsOn: ['look'] };
    });
    await call('/api/tee/tasks', userId, JSON.stringify({ steps: [look, ...steps], onFailure: 'continue' }));
  }
}

/** A hundred tasks of a hundred waits, of ten users, on four connections. */
async function waits(): Promise<void> {
  const devices = await Promise.all(Array.from({ length: 10 }, (_, user) => register(`waiter-${user}`)));
  let begun = 0;
  const one = async () => {
    while (begun < 100 && !end.signal.aborted) {
      const user = begun % 10;
      begun += 1;
      const steps = Array.from({ length: 100 }, (_, n) => {
        return { id: `s${n}`, actionType: 'Wait', targetDeviceId: devices[user], parameters: { durationMs: 60_000 } };
      });
      await call('/api/tee/tasks', `waiter-${user}`, JSON.stringify({ steps }));
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  await untilEnded();
}

/** Tasks of made-up users with four scripts, each with a path of 60 kB that is made to be read slowly. No two are the same. */
async function scripts(): Promise<void> {
  const pieces = ['/nvim', '/.ipython', '/bin', '/.config/a'];
  for (let turn = 0; !end.signal.aborted; turn += 1) {
    const userId = `made-up-${turn}`;
    const targetDeviceId = await register(userId);
    const steps = Array.from({ length: 4 }, (_, n) => {
      const path = String(pieces[n % pieces.length])
        .repeat(60_000)
        .slice(0, 59_900);
      const parameters = { interpreter: 'sh', script: `echo ${turn} > ${path}/${n}` };
      return { id: `s${n}`, actionType: 'RunScript', targetDeviceId, parameters };
    });
    await call('/api/tee/tasks', userId, JSON.stringify({ steps }));
  }
}

async function untilEnded(): Promise<void> {
  console.log('sent');
  await pause(600_000, undefined, { signal: end.signal });
}

async function register(userId: string): Promise<string> {
  const body = JSON.stringify({ type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } });
  const headers = { 'x-user-id': userId, 'content-type': 'application/json' };
  const response = await fetch(`${base}/api/tee/devices/register`, { method: 'POST', headers, body });
  return String(Object(await response.json()).id);
}

async function call(path: string, userId: string, body?: string): Promise<void> {
  const headers = { 'x-user-id': userId, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body,
    signal: end.signal,
  });
  await response.arrayBuffer();
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  if (response.status !== 429) return;
  await pause(Number(response.headers.get('retry-after')) * 1_000, undefined, { signal: end.signal });
  await call(path, userId, body);
}
