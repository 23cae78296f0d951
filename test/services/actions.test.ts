import { describe, expect } from 'vitest';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { ALL, done, notDone, startServices, test } from './rig.ts';

const wait = { actionType: 'Wait', parameters: { durationMs: 0 } };
const openApp = { actionType: 'OpenApp', parameters: { appName: 'mousepad' } };

describe('an action of low risk', () => {
  test('is sent at once and answered with its details', async ({ rig }) => {
    const answer = rig.submit(wait);
    await rig.agent.answer(done({ details: 'Waited for 0 ms.' }));
    expect(await answer).toMatchObject({
      kind: 'action',
      replayed: false,
      action: { status: 'success', details: 'Waited for 0 ms.', effect: 'none', risk: { level: 'low' } },
    });
    expect(rig.kinds()).toEqual([
      'daemon.started',
      'device.registered',
      'action.requested',
      'action.dispatched',
      'action.succeeded',
    ]);
  });

  test('is acknowledged to the agent once its outcome is stored', async ({ rig }) => {
    const answer = rig.submit(wait);
    await rig.agent.answer(done());
    await answer;
    expect(rig.agent.acknowledged).toEqual([{ actionId: rig.agent.sent[0]?.actionId, attempt: 1 }]);
  });

  test('fails with the reason the agent gave', async ({ rig }) => {
    const answer = rig.submit(openApp);
    await rig.agent.answer(notDone({ fix: 'Did you mean Mousepad?' }));
    expect(await answer).toMatchObject({
      action: {
        status: 'failed',
        details: 'No such app.',
        error: { code: 'app_not_found', message: 'No such app.', fix: 'Did you mean Mousepad?', retryable: false },
      },
    });
  });
});

describe('concurrency', () => {
  test('sends sixteen actions at once, and the next when one has ended', async ({ rig }) => {
    const answers = Array.from({ length: 17 }, () => rig.submit(wait));
    await rig.sent();
    expect(rig.agent.sent).toHaveLength(16);
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(17);
    for (const params of rig.agent.sent.slice(1)) await rig.agent.answer(done(), params);
    expect(await Promise.all(answers)).toHaveLength(17);
  });
});

describe('when the agent is lost', () => {
  test('a read that was under way fails and says that it may be repeated', async ({ rig }) => {
    const answer = rig.submit(wait);
    await rig.sent();
    rig.agent.listener.lost();
    expect(await answer).toMatchObject({
      action: { status: 'failed', effect: 'none', error: { code: 'agent_unavailable', retryable: true } },
    });
  });

  test('an idempotent action fails, and says that it may have been done', async ({ rig }) => {
    const answer = rig.submit(openApp);
    await rig.sent();
    rig.agent.listener.lost();
    expect(await answer).toMatchObject({ action: { status: 'failed', effect: 'unverified' } });
  });

  test('an outcome that the agent had reported before stays the end of its action', async ({ rig }) => {
    const answer = rig.submit(wait);
    await rig.sent();
    const [sent] = rig.agent.sent;
    if (sent === undefined) throw new Error('nothing was sent to the agent');
    rig.agent.listener.finished(sent, done());
    rig.agent.listener.lost();
    expect(await answer).toMatchObject({ action: { status: 'success' } });
  });

  test('a result that comes after that is ignored, journaled and changes nothing', async ({ rig }) => {
    const answer = rig.submit(wait);
    await rig.sent();
    rig.agent.listener.lost();
    await answer;
    await rig.agent.answer(done());
    expect(rig.kinds().slice(-2)).toEqual(['action.lost', 'agent.result_ignored']);
    expect(rig.agent.acknowledged).toEqual([]);
  });
});

describe('an agent that is not there', () => {
  test('is waited for while it starts', async ({ rig }) => {
    rig.agent.become('starting');
    const answer = rig.submit(wait);
    expect(rig.agent.sent).toEqual([]);
    rig.agent.become('online');
    await new Promise(setImmediate);
    await rig.agent.answer(done());
    expect(await answer).toMatchObject({ action: { status: 'success' } });
  });

  test('is not waited for longer than ten seconds', async ({ rig }) => {
    rig.agent.become('starting');
    const answer = rig.submit(wait);
    rig.clock.advance(10_000);
    expect(await answer).toMatchObject({ refused: 'device_offline' });
  });

  test('refuses at once when it is offline', async ({ rig }) => {
    rig.agent.become('offline');
    expect(await rig.submit(wait)).toMatchObject({
      refused: 'device_offline',
      detail:
        'The device agent is not online; nothing was done. GET /health says how it is: while it is starting, try again in a few seconds; when it is offline, the person has to start it again at the dashboard.',
      retryAfterSeconds: 5,
    });
    expect(rig.kinds()).not.toContain('action.requested');
  });
});

describe('an agent that says nothing', () => {
  test('is told to stop after the deadline, and given up after its grace', async ({ rig }) => {
    const answer = rig.submit({ ...wait, timeoutMs: 5_000 });
    await rig.sent();
    rig.clock.advance(7_000);
    expect(rig.agent.cancelled.map(({ reason }) => reason)).toEqual(['timeout']);
    rig.clock.advance(7_500);
    expect(await answer).toMatchObject({ action: { status: 'failed', error: { code: 'agent_unavailable' } } });
  });
});

describe('cancelling', () => {
  test('tells the agent, and its report decides how the action ends', async ({ rig }) => {
    const { actionId } = await rig.submitted(wait);
    expect(rig.services.actions.cancel('ann', actionId)).toMatchObject({ status: 'running' });
    expect(rig.agent.cancelled).toEqual([{ key: { actionId, attempt: 1 }, reason: 'requested' }]);
    await rig.agent.answer(notDone({ cancelled: true, sideEffect: 'none' }));
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'cancelled' });
  });

  test('twice asks the agent once', async ({ rig }) => {
    const { actionId } = await rig.submitted(wait);
    rig.services.actions.cancel('ann', actionId);
    rig.services.actions.cancel('ann', actionId);
    expect(rig.agent.cancelled).toHaveLength(1);
  });

  test('what has ended is refused', async ({ rig }) => {
    const { actionId } = await rig.submitted(wait);
    await rig.agent.answer(done());
    expect(rig.services.actions.cancel('ann', actionId)).toMatchObject({ refused: 'already_terminal' });
  });

  test('of a device that is removed happens by itself', async ({ rig }) => {
    await rig.submitted(wait);
    expect(rig.services.devices.remove('ann', rig.deviceId)).toBeUndefined();
    expect(rig.agent.cancelled.map(({ reason }) => reason)).toEqual(['device_removed']);
  });
});

describe('what is refused before it becomes an action', () => {
  test.each([
    ['an unknown type', { actionType: 'Fly' }, 'unknown_action_type'],
    ['a parameter of the wrong type', { actionType: 'Wait', parameters: { durationMs: 'long' } }, 'parameters_invalid'],
    ['a parameter nobody knows', { parameters: { durationMs: 1, approved: true } }, 'parameters_invalid'],
    ['a name that is a command', { ...openApp, parameters: { appName: 'Safari; rm -rf ~' } }, 'parameters_invalid'],
    ['a device nobody registered', { targetDeviceId: 'dev_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'device_not_found'],
  ])('%s', async (_, body, refused) => {
    const rig = startServices();
    expect(await rig.submit({ ...wait, ...body })).toMatchObject({ refused });
    expect(rig.agent.sent).toEqual([]);
    expect(rig.kinds()).not.toContain('action.requested');
  });

  test.each([
    [
      'OpenApp',
      { app: 'mousepad' },
      'The parameters do not fit OpenApp: /parameters/appName is required; ' +
        '/parameters/app is not known here: known are appName.',
    ],
    [
      'Wait',
      { a: 1, b: 2, c: 3 },
      'The parameters do not fit Wait: /parameters/durationMs is required; ' +
        '/parameters/a is not known here: known are durationMs; /parameters/b is not known here: known are durationMs; ' +
        'and 1 more, see errors.',
    ],
  ])('parameters of %s that are more than one time wrong: %j', async (actionType, parameters, detail) => {
    const rig = startServices();
    expect(await rig.submit({ actionType, parameters })).toMatchObject({ refused: 'parameters_invalid', detail });
  });

  test("another user's device", async ({ rig }) => {
    expect(await rig.submit(wait, { userId: 'eve' })).toMatchObject({ refused: 'device_not_found' });
  });

  test('a capability the device was registered without', async ({ rig }) => {
    const body = { ...openApp, targetDeviceId: rig.deviceOf('ann', { canOpenApps: false }) };
    expect(await rig.submit(body)).toMatchObject({ refused: 'capability_missing' });
  });
});

test('a capability the device did not mention makes a low risk ask', async ({ rig }) => {
  const action = await rig.submitted({ ...openApp, targetDeviceId: rig.deviceOf('ann', {}) });
  expect(action.status).toBe('awaiting_confirmation');
});

test('an action on Handrail itself is blocked and kept as a record', async ({ rig }) => {
  const action = await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'Handrail' } });
  expect(action).toMatchObject({ status: 'blocked', details: expect.stringContaining('Handrail itself') });
  expect(rig.agent.sent).toEqual([]);
});

test('a dry run explains and does nothing', async ({ rig }) => {
  rig.agent.apps.set('xterm', done({ data: { appName: 'XTerm', bundleId: 'debian-xterm', risks: [] } }));
  const answer = await rig.submit({ actionType: 'OpenApp', parameters: { appName: 'xterm' }, dryRun: true });
  expect(answer).toEqual({
    kind: 'dryRun',
    dryRun: {
      dryRun: true,
      actionType: 'OpenApp',
      targetDeviceId: rig.deviceId,
      verdict: 'ask',
      rule: 'The profile assist asks about actions of high risk.',
      risk: {
        level: 'high',
        reasons: ['xterm is a terminal, and controls more than itself.'],
      },
      target: 'XTerm (debian-xterm)',
      missingPermissions: [],
      details: 'Open the app “xterm”: would ask the person. Nothing was done.',
    },
  });
  expect(rig.kinds()).toEqual(['daemon.started', 'device.registered']);
});

test('a dry run names the app that the agent finds, or says why the agent would refuse', async ({ rig }) => {
  rig.agent.apps.set('mousepad', done({ data: { appName: 'Mousepad', bundleId: 'org.xfce.mousepad', risks: [] } }));
  const known = await rig.submit({ ...openApp, dryRun: true });
  expect(known).toMatchObject({ dryRun: { target: 'Mousepad (org.xfce.mousepad)', verdict: 'allow' } });
  rig.clock.advance(60_000);
  rig.agent.apps.set('mousepad', notDone());
  const unknown = await rig.submit({ ...openApp, dryRun: true });
  expect(unknown).toMatchObject({
    dryRun: { target: 'mousepad', details: expect.stringContaining('The agent says: No such app.') },
  });
  expect(rig.kinds()).toEqual(['daemon.started', 'device.registered']);
  expect([...rig.agent.lookedUp.values()]).toEqual(['mousepad', 'mousepad']);
});

test('nobody can submit what a dry run asks of the agent', async ({ rig }) => {
  const answer = await rig.submit({ actionType: 'ResolveTargets', parameters: { references: [] } });
  expect(answer).toMatchObject({ refused: 'unknown_action_type' });
});

describe('an Idempotency-Key', () => {
  test('gives the first answer again', async ({ rig }) => {
    const first = rig.submit(wait, { idempotencyKey: 'k1' });
    await rig.agent.answer(done());
    const again = await rig.submit(wait, { idempotencyKey: 'k1' });
    expect(again).toEqual({ ...(await first), replayed: true });
    expect(rig.agent.sent).toHaveLength(1);
  });

  test('for another request is refused', async ({ rig }) => {
    await rig.submit(wait, { idempotencyKey: 'k1', waitMs: 0 });
    expect(await rig.submit(openApp, { idempotencyKey: 'k1' })).toMatchObject({ refused: 'idempotency_key_reused' });
  });

  test('while the first is being answered is refused', async ({ rig }) => {
    const first = rig.submit(wait, { idempotencyKey: 'k1' });
    expect(await rig.submit(wait, { idempotencyKey: 'k1' })).toMatchObject({
      refused: 'idempotency_in_progress',
      retryAfterSeconds: 1,
    });
    await rig.agent.answer(done());
    await first;
  });

  test('of another user is another key', async ({ rig }) => {
    await rig.submit(wait, { idempotencyKey: 'k1', waitMs: 0 });
    const ofBob = { ...wait, targetDeviceId: rig.deviceOf('bob') };
    await rig.submit(ofBob, { userId: 'bob', idempotencyKey: 'k1', waitMs: 0 });
    expect(rig.agent.sent).toHaveLength(2);
  });

  test('outlives a crash: the action is found, not made again', async ({ rig }) => {
    void rig.submit(openApp, { idempotencyKey: 'k1' });
    await rig.sent();
    const { actionId } = rig.agent.sent[0] ?? {};
    const after = rig.crashAndRestart();
    const again = await after.submit(openApp, { idempotencyKey: 'k1' });
    expect(again).toMatchObject({ kind: 'action', replayed: true, action: { actionId, status: 'failed' } });
    expect(after.agent.sent).toEqual([]);
  });
});

describe('a restart', () => {
  test('ends what was under way, as its effect class demands, and the journal still verifies', async ({ rig }) => {
    void rig.submit(openApp);
    await rig.sent();
    const id = String(rig.agent.sent[0]?.actionId);
    const after = rig.crashAndRestart();
    expect(after.services.actions.get('ann', id)).toMatchObject({ status: 'failed', effect: 'unverified' });
    expect(auditJournal(dataDirectoryAt(after.store.path))).toMatchObject({ valid: true });
  });

  test('expires what waited for a person', async ({ rig }) => {
    const { actionId } = await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
    const after = rig.crashAndRestart();
    expect(after.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
    expect(after.services.console.confirmations.list()).toEqual([]);
  });

  test('runs what was accepted, needed no approval and is not too old', async ({ rig }) => {
    const waits = Array.from({ length: 17 }, () => rig.submit({ ...wait, timeoutMs: 60_000 }));
    expect(waits).toHaveLength(17);
    await rig.sent();
    const after = rig.crashAndRestart();
    expect(after.agent.sent).toHaveLength(1);
  });

  test('does not run what was to be cancelled', async ({ rig }) => {
    for (let count = 0; count < 16; count += 1) await rig.submitted({ ...wait, timeoutMs: 60_000 });
    const { actionId } = await rig.submitted({ ...wait, timeoutMs: 60_000 });
    const queued = rig.store.actions.findById(actionId);
    if (queued?.status !== 'queued') throw new Error('the action should wait for its turn');
    rig.store.write('durable', () =>
      rig.store.actions.update(queued, { ...queued, cancelRequestedAtMs: rig.clock.nowMs() }),
    );
    const after = rig.crashAndRestart();
    expect(after.agent.sent).toEqual([]);
    expect(after.services.actions.get('ann', actionId)).toMatchObject({ status: 'expired' });
  });
});

test('five hundred actions of one user may wait for their turn and not one more, and those of others still may', async () => {
  const rig = startServices();
  const { device } = rig.services.devices.register('bob', { type: 'linux', name: 'Desk', capabilities: ALL });
  for (let count = 0; count < 16 + 500; count += 1) await rig.submitted(wait);
  expect(await rig.submit(wait)).toMatchObject({ refused: 'too_many_pending', retryAfterSeconds: 30 });
  expect(await rig.submit({ ...wait, targetDeviceId: device.id }, { userId: 'bob', waitMs: 0 })).toMatchObject({
    kind: 'action',
    action: { status: 'queued' },
  });
  for (const sent of rig.agent.sent.slice(0, 2)) await rig.agent.answer(done(), sent);
  expect(await rig.submit(wait, { waitMs: 0 })).toMatchObject({ kind: 'action' });
});

test('a user with less under way is served before everything another user has waiting, and turns go round', async () => {
  const rig = startServices();
  const { device } = rig.services.devices.register('bob', { type: 'linux', name: 'Desk', capabilities: ALL });
  for (let count = 0; count < 16 + 20; count += 1) await rig.submitted(wait);
  const ofBob = { ...wait, targetDeviceId: device.id };
  const bobs = [1, 2, 3].map(() => rig.submit(ofBob, { userId: 'bob', waitMs: 0 }));
  await Promise.all(bobs);
  const servedNext = async () => {
    await rig.agent.answer(done(), rig.agent.sent.at(-1));
    return rig.store.actions.findById(rig.agent.sent.at(-1)?.actionId ?? '')?.userId;
  };
  await rig.agent.answer(done(), rig.agent.sent[0]);
  const served = [rig.store.actions.findById(rig.agent.sent.at(-1)?.actionId ?? '')?.userId];
  for (let count = 0; count < 4; count += 1) served.push(await servedNext());
  expect(served).toEqual(['bob', 'bob', 'bob', 'ann', 'ann']);
});
