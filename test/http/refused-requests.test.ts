import { expect, test } from 'vitest';
import { startWhole, type WholeRig } from './whole-rig.ts';

const OPEN = { actionType: 'OpenApp', parameters: { appName: 'mousepad' } };
const ANN = { 'x-user-id': 'ann' };

test('requests for a missing capability count as requested and as denied, are two rows a second, and are told as an insight', async () => {
  const rig = await startWhole();
  const targetDeviceId = await deviceWithout(rig, 'canOpenApps');
  for (let count = 0; count < 20; count += 1) {
    const body = { ...OPEN, targetDeviceId };
    expect(await rig.call('POST /api/tee/actions', { headers: ANN, body })).toMatchObject({ status: 403 });
  }
  rig.clock.advance(1_000);
  const refused = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'request.refused');
  const about = { code: 'capability_missing', capability: 'canOpenApps' };
  expect(refused.map(({ userId, deviceId, metadata }) => [userId, deviceId, metadata])).toEqual([
    ['ann', targetDeviceId, { ...about, count: 1 }],
    ['ann', targetDeviceId, { ...about, count: 19 }],
  ]);
  expect(
    await valuesOf(rig, ['action_rate', 'action_burst_peak', 'denied_action_share', 'control_violations']),
  ).toEqual({ action_rate: 80, action_burst_peak: 20, denied_action_share: 1, control_violations: 0 });
  const { body: telemetry } = await rig.call('GET /api/guardian/tee/metrics');
  expect(telemetry.actions).toMatchObject({ total: 20, byStatus: { refused: 20, blocked: 0 }, byType: {} });
  const { body: insights } = await rig.call('GET /api/guardian/insights', { headers: ANN });
  expect(insights.items).toMatchObject([
    { title: 'ann was refused 20 times in a day', severity: 'info', action: { kind: 'pause_requester' } },
  ]);
});

test('a task that is refused for a missing capability is one refused request, and a dry run is none', async () => {
  const rig = await startWhole();
  const targetDeviceId = await deviceWithout(rig, 'canOpenApps');
  const steps = ['one', 'two'].map((id) => ({ id, ...OPEN, targetDeviceId }));
  expect(await rig.call('POST /api/tee/tasks', { headers: ANN, body: { steps } })).toMatchObject({ status: 403 });
  const dryRun = { ...OPEN, targetDeviceId, dryRun: true };
  expect(await rig.call('POST /api/tee/actions', { headers: ANN, body: dryRun })).toMatchObject({ status: 200 });
  rig.clock.advance(1_000);
  expect(await valuesOf(rig, ['action_burst_peak'])).toEqual({ action_burst_peak: 1 });
});

test('a flood of refusals of many requesters is journaled in a bounded number of rows, and all of it is counted', async () => {
  const rig = await startWhole();
  for (let user = 0; user < 120; user += 1) {
    for (let count = 0; count < 2; count += 1) {
      const request = { userId: `user${user}`, deviceId: 'dev_1', capability: 'canOpenApps' };
      rig.services.noteRefusal({ refused: 'capability_missing', request });
    }
  }
  rig.clock.advance(1_000);
  const rows = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'request.refused');
  expect(rows.length).toBeLessThanOrEqual(102);
  const { body } = await rig.call('GET /api/guardian/tee/metrics');
  expect(body.actions).toMatchObject({ byStatus: { refused: 240 } });
});

async function deviceWithout(rig: WholeRig, capability: string): Promise<string> {
  const body = { type: 'linux', name: 'Desk', capabilities: { [capability]: false } };
  const { body: device } = await rig.call('POST /api/tee/devices/register', { headers: ANN, body });
  return String(device.deviceId);
}

async function valuesOf(rig: WholeRig, types: readonly string[]): Promise<Record<string, number>> {
  const { body } = await rig.call(`GET /api/guardian/metrics?type=${types.join(',')}`);
  const items = body.items as { type: string; value: number }[];
  return Object.fromEntries(items.map(({ type, value }) => [type, value]));
}
