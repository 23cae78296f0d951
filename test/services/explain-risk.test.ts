import { expect, it } from 'vitest';
import type { RiskContributor } from '../../src/contract/risk.ts';
import type { Viewer } from '../../src/services/guardian/viewer.ts';
import { notDone, type Rig, startServices } from './rig.ts';

const PERSON = { kind: 'person' } as const;
const MINUTE_MS = 60_000;

it('tells of each cause its numbers, its requester, its time and the next step', async () => {
  const rig = watching();
  const since = new Date(rig.clock.nowMs()).toISOString();
  await failRepeatedly(rig, { userId: 'ann', times: 12 });
  const retried = contributor(rig, 'action_retry_rate');
  expect(retried).toMatchObject({
    metricType: 'action_retry_rate',
    message: 'Actions that were retried or requested again: 91.7 %; limit: at most 5 %.',
    source: { kind: 'requester', name: 'ann' },
    action: { kind: 'pause_requester', label: 'Pause ann', target: 'ann' },
    since,
    last: since,
  });
  expect(contributor(rig, 'action_success_rate')).toMatchObject({
    message: 'Actions that succeeded: 0 %; limit: at least 95 %.',
    action: { kind: 'inspect', target: '/api/console/activity' },
  });
});

it('names the requester by a pseudonym to other readers', async () => {
  const rig = watching();
  await failRepeatedly(rig, { userId: 'ann', times: 12 });
  expect(JSON.stringify(contributor(rig, 'action_retry_rate', { kind: 'nobody' }))).not.toContain('ann');
  expect(contributor(rig, 'action_retry_rate', { kind: 'nobody' }).source?.name).toMatch(/^user-/);
});

it('offers no pause where no requester caused more than half', async () => {
  const rig = watching();
  const { device } = rig.services.devices.register('bob', { type: 'linux', name: 'Desk', capabilities: {} });
  await failRepeatedly(rig, { userId: 'ann', times: 8 });
  await failRepeatedly(rig, { userId: 'bob', times: 8, deviceId: device.id });
  expect(contributor(rig, 'action_retry_rate')).toMatchObject({ source: null, action: { kind: 'inspect' } });
});

it('tells of a control that failed when that was, and how to check it', () => {
  const rig = watching();
  rig.store.write('durable', () =>
    rig.store.journal.append(rig.clock.nowMs(), { kind: 'journal.broken', metadata: { reason: null } }),
  );
  const at = new Date(rig.clock.nowMs()).toISOString();
  expect(contributor(rig, 'control_violations')).toEqual({
    metricType: 'control_violations',
    points: 90,
    cause: 'control_violations',
    message: '1 check of the journal failed.',
    source: null,
    since: at,
    last: at,
    action: { kind: 'inspect', label: 'Check the journal', target: '/api/console/audit/verify' },
  });
});

async function failRepeatedly(rig: Rig, of: { userId: string; times: number; deviceId?: string }): Promise<void> {
  for (let count = 0; count < of.times; count += 1) {
    const targetDeviceId = of.deviceId ?? rig.deviceId;
    await rig.submit({ parameters: { durationMs: 5 }, targetDeviceId }, { userId: of.userId, waitMs: 0 });
    await rig.agent.answer(notDone());
  }
  rig.clock.advance(5 * MINUTE_MS);
}

function contributor(rig: Rig, cause: string, viewer: Viewer = PERSON): RiskContributor {
  const { contributors } = rig.services.guardian.dashboard(viewer, { lengthMs: 86_400_000 }).risk;
  const found = contributors.find((each) => each.cause === cause);
  if (found === undefined) throw new Error(`${cause} is not among ${contributors.map((each) => each.cause).join()}`);
  return found;
}

function watching(): Rig {
  const rig = startServices();
  rig.services.watch();
  rig.agent.become('online');
  return rig;
}
