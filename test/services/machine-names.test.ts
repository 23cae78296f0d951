import { expect, test } from 'vitest';
import { offeredAccess } from '../../src/services/permissions/access.ts';
import { answerFirst, firstPrompt } from './answers.ts';
import { localOnly } from './local-only.ts';
import { ALL, createFakeAgent, startServices } from './rig.ts';

/** Services with a device on this computer and one on the machine `studio`, both called Desk. */
function startTwo() {
  const studio = createFakeAgent();
  const rig = startServices({
    machines: (local) => ({ ...localOnly(local), on: (machine) => (machine === 'studio' ? studio : local) }),
  });
  studio.listener = rig.services.agentListener('studio');
  rig.services.console.machines.add({ name: 'studio', address: 'ann@studio' });
  const registration = { type: 'linux', name: 'Desk', capabilities: ALL };
  const { device } = rig.services.devices.register('ann', { ...registration, machine: 'studio' });
  const shoot = (targetDeviceId: string) =>
    rig.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} }, { userId: 'ann', waitMs: 0 });
  return { rig, there: device.id, shoot };
}

test('a prompt, its grants, its device and its row name the machine first', async () => {
  const { rig, there, shoot } = startTwo();
  // The first action on a machine is allowed only once.
  await shoot(there);
  answerFirst(rig, 'allow');
  await shoot(there);
  const { prompt, scopes } = firstPrompt(rig);
  expect(scopes.length).toBeGreaterThan(1);
  expect([prompt.sentence, prompt.device]).toEqual([expect.stringMatching(/^On studio: take /), 'studio: Desk']);
  for (const { scope, grant } of scopes.filter(({ scope: each }) => each !== 'once')) {
    expect([scope, grant]).toEqual([scope, expect.stringMatching(/^On studio: “ann” can take screenshots of /)]);
    expect(grant.match(/studio/g)).toHaveLength(1);
  }
  answerFirst(rig, 'allow');
  const listed = await rig.services.console.activity.list({}, { limit: 10 });
  const [row] = 'items' in listed ? listed.items.map((item) => JSON.parse(item)) : [];
  expect(row.sentence).toMatch(/^On studio: take /);
  const detail = rig.services.console.activity.detail(row.actionId);
  expect('device' in detail && detail.device.name).toBe('studio: Desk');
  const contents = () => rig.store.actions.forgetContents([row.actionId], rig.clock.nowMs() + 1);
  rig.store.write('relaxed', contents);
  expect(rig.services.console.activity.detail(row.actionId)).toMatchObject({
    sentence: expect.stringMatching(/^On studio: /),
  });
});

test('an approved procedure and an access name the machine first too', () => {
  const { rig, there } = startTwo();
  const WAIT = { id: 'wait', actionType: 'Wait', parameters: { durationMs: 5 } };
  const kept = rig.services.procedures.keep('ann', {
    name: 'Pause',
    parameters: {},
    steps: [WAIT],
    may: { critical: [], minutes: 5 },
  });
  const digest = 'digest' in kept ? String(kept.digest) : '';
  const terms = { userId: 'ann', digest, days: 1, runs: 3 };
  rig.services.console.procedures.approve('Pause', { ...terms, targetDeviceId: there });
  const [grant] = rig.services.console.grants.list();
  expect(grant?.literal).toMatch(/^On studio: “ann” can run the procedure “Pause” on "Desk" 3 times/);
  const app = { appName: 'Mousepad', alsoKnownAs: [], risks: [] };
  const access = { apps: [app], use: 'look' as const, sites: [], minutes: 5 };
  const row = { userId: 'ann', deviceId: there } as never;
  expect(offeredAccess({ store: rig.store } as never, row, access)).toMatch(/^On studio: “ann” may look at “?Mousepad/);
  const here = { userId: 'ann', deviceId: rig.deviceId } as never;
  expect(offeredAccess({ store: rig.store } as never, here, access)).toMatch(/^“ann” may look at /);
});

test('on this computer nothing names a machine', async () => {
  const { rig, shoot } = startTwo();
  await shoot(rig.deviceId);
  const { prompt, scopes } = firstPrompt(rig);
  expect(JSON.stringify([prompt.sentence, prompt.device, scopes])).not.toMatch(/studio|local/);
});

test('the person decides whether other computers may use this one, and a health check tells it', () => {
  const { rig } = startTwo();
  const { settings } = rig.services.console;
  expect(rig.services.health().acceptsOtherDaemons).toBe(false);
  settings.put({ ...settings.get(), acceptsOtherDaemons: true });
  expect(rig.services.health().acceptsOtherDaemons).toBe(true);
  settings.put({ promptExpiryMs: 60_000 });
  expect(rig.services.health().acceptsOtherDaemons).toBe(true);
});
