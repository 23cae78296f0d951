import { expect, test } from 'vitest';
import { connectAgent, register, startWhole, type WholeRig } from './whole-rig.ts';

const ANN = { 'x-user-id': 'ann' };
const WAIT = { actionType: 'Wait', parameters: { durationMs: 60_000 } };

async function submitted(rig: WholeRig, kind: 'actions' | 'tasks'): Promise<string> {
  const step = { ...WAIT, targetDeviceId: await register(rig) };
  const body = kind === 'actions' ? step : { steps: [{ id: 'wait', ...step }] };
  const headers = { ...ANN, prefer: 'respond-async' };
  const { status, body: record } = await rig.call(`POST /api/tee/${kind}`, { headers, body });
  expect(status).toBe(202);
  return `/api/tee/${kind}/${record[kind === 'actions' ? 'actionId' : 'taskId']}`;
}

test.each(['actions', 'tasks'] as const)(
  'with Prefer: wait, GET of one of the %s is answered when it ends, and not before',
  async (kind) => {
    const rig = await startWhole();
    const agent = await connectAgent(rig);
    const path = await submitted(rig, kind);
    const attempt = await agent.asked();
    expect(await rig.call(`GET ${path}`, { headers: ANN })).toMatchObject({ status: 200, body: { status: 'running' } });
    let isAnswered = false;
    const waiting = fetch(rig.url + path, { headers: { ...ANN, prefer: 'wait=30' } }).then((response) => {
      isAnswered = true;
      return response;
    });
    for (let count = 0; count < 5; count += 1) await rig.call('GET /health');
    expect(isAnswered).toBe(false);
    agent.answer(attempt);
    const response = await waiting;
    expect(response.headers.get('preference-applied')).toBe('wait=30');
    expect(await response.json()).toMatchObject({ status: 'success' });
  },
);

test.each(['actions', 'tasks'] as const)(
  'GET of one of the %s that is still under way when the wait is over says so',
  async (kind) => {
    const rig = await startWhole();
    const agent = await connectAgent(rig);
    const path = await submitted(rig, kind);
    await agent.asked();
    const startedAtMs = performance.now();
    expect(await rig.call(`GET ${path}`, { headers: { ...ANN, prefer: 'wait=1' } })).toMatchObject({
      status: 200,
      body: { status: 'running' },
    });
    expect(performance.now() - startedAtMs).toBeGreaterThan(900);
  },
);
