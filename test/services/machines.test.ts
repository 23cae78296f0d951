import { describe, expect, test } from 'vitest';
import type { UndoFacts } from '../../src/contract/files.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { answerFirst, firstPrompt } from './answers.ts';
import { localOnly } from './local-only.ts';
import { answerLook } from './looks.ts';
import { ALL, createFakeAgent, done, type Rig, startServices } from './rig.ts';
import { submitTask } from './tasks-rig.ts';

/** Services with a second machine, `studio`, whose agent the test plays. */
function startTwo() {
  const studio = createFakeAgent();
  const rig = startServices({
    machines: (local) => ({ ...localOnly(local), on: (machine) => (machine === 'studio' ? studio : local) }),
  });
  studio.listener = rig.services.agentListener('studio');
  rig.services.console.machines.add({ name: 'studio', address: 'ann@studio' });
  const there = (userId = 'ann') =>
    rig.services.devices.register(userId, { type: 'linux', name: 'Studio', capabilities: ALL, machine: 'studio' })
      .device.id;
  const act = (targetDeviceId: string, userId = 'ann', actionType = 'DescribeScreen') =>
    rig.submit({ targetDeviceId, actionType, parameters: {} }, { userId, waitMs: 0 });
  const statusOf = async (answer: ReturnType<typeof act>) => {
    const given = await answer;
    return isRefusal(given) || given.kind !== 'action' ? given : given.action.status;
  };
  return { ...rig, rig, studio, there, act, statusOf };
}

const IDENTITY = { device: '1', inode: '2' };
const PLACE = { identity: IDENTITY, folder: IDENTITY };

const HELLO = {
  protocol: 1,
  agentVersion: '0',
  bootId: 'b',
  pid: 1,
  platform: 'linux',
  hostname: 'studio',
  displays: [],
  permissions: { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' },
  actionTypes: [],
} as const;

describe('a requester on another machine', () => {
  test('N55: is asked for at its first action there, whatever the action is; the answer is for that user id alone', async () => {
    const { rig, studio, there, act, statusOf } = startTwo();
    const device = there();
    expect(await statusOf(act(device))).toBe('awaiting_confirmation');
    expect(firstPrompt(rig).prompt.sentence).toMatch(/^On studio: /u);
    answerFirst(rig, 'allow');
    const [sent] = studio.sent;
    studio.listener.finished({ actionId: String(sent?.actionId), attempt: 1 }, done());
    expect(await statusOf(act(device))).toBe('running');
    expect(await statusOf(act(there('eve'), 'eve'))).toBe('awaiting_confirmation');
    expect(rig.agent.sent).toEqual([]);
  });

  test('N55: asks anew on a machine that was removed and added under the same name, and its former device is gone', async () => {
    const { rig, there, act, statusOf } = startTwo();
    const device = there();
    await act(device);
    answerFirst(rig, 'allow');
    const { machines } = rig.services.console;
    machines.remove('studio');
    expect(await act(device)).toMatchObject({ refused: 'device_not_found' });
    machines.add({ name: 'studio', address: 'mallory@elsewhere' });
    expect(await statusOf(act(there()))).toBe('awaiting_confirmation');
  });

  test('N55: gets no folder there that was allowed here', async () => {
    const { rig, studio, there, act, statusOf } = startTwo();
    await act(there());
    answerFirst(rig, 'allow');
    const FOLDER = { path: '/home/ann/Reports', realPath: '/home/ann/Reports', kind: 'folder', ...PLACE } as const;
    const allowing = rig.services.console.folders.allow({ userId: 'ann', path: FOLDER.path, access: 'read' });
    await answerLook(rig, FOLDER);
    await allowing;
    const list = (targetDeviceId: string) =>
      rig.submit({ targetDeviceId, actionType: 'ListFiles', parameters: { path: FOLDER.path } }, { waitMs: 0 });
    const here = list(rig.deviceId);
    await rig.sent();
    await answerLook(rig, FOLDER);
    expect(await statusOf(here)).toBe('running');
    const elsewhere = list(there());
    await rig.sent();
    await answerLook({ agent: studio }, FOLDER);
    expect(await statusOf(elsewhere)).toBe('awaiting_confirmation');
  });
});

describe('the agent of another machine', () => {
  test('A31: says nothing about an action of this one: neither as its end, nor in its hello', async () => {
    const { rig, studio, act, statusOf } = startTwo();
    expect(await statusOf(act(rig.deviceId))).toBe('running');
    const key = { actionId: String(rig.agent.sent[0]?.actionId), attempt: 1 };
    studio.listener.finished(key, done());
    expect(rig.store.actions.findById(key.actionId)?.status).toBe('running');
    const hello = { ...HELLO, inflight: [key], unacknowledged: [key] };
    expect(studio.listener.online({ ...hello, inflight: [{ ...key, effectClass: 'pure' }] } as never)).toEqual([
      { ...key, verdict: 'cancel' },
      { ...key, verdict: 'forget' },
    ]);
    studio.listener.lost();
    expect(rig.store.actions.findById(key.actionId)?.status).toBe('running');
  });

  test('that is away keeps nothing waiting here', async () => {
    const { rig, studio, there, act, statusOf } = startTwo();
    await act(there());
    answerFirst(rig, 'allow');
    studio.become('offline');
    for (let count = 0; count < 16; count += 1) expect(await statusOf(act(rig.deviceId))).toBe('running');
    expect(await act(there())).toMatchObject({ refused: 'device_offline' });
  });
});

test('a machine that says nothing keeps no picture of a prompt of this one waiting', async () => {
  const { rig, studio, there } = startTwo();
  const look = async (targetDeviceId: string, userId: string) => {
    const parameters = { region: { x: 0, y: 0, width: 10, height: 10 } };
    await rig.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters }, { userId, waitMs: 0 });
  };
  await look(there(), 'ann');
  await look(rig.deviceId, 'ann');
  for (const { id } of rig.services.console.confirmations.list()) void rig.services.console.targetPicture(id);
  await rig.sent();
  expect([studio, rig.agent].map(({ sent }) => sent.map(({ actionType }) => actionType))).toEqual([
    ['TakeScreenshot'],
    ['TakeScreenshot'],
  ]);
});

test('what a machine says of its apps is told as nothing of this one', async () => {
  const { rig, studio, there, act } = startTwo();
  await act(there());
  answerFirst(rig, 'allow');
  rig.agent.report({ accessibility: 'switched_off' });
  const degradedReasons = [{ code: 'accessibility_switched_off', message: 'Chromium does not describe …' }];
  await studio.answer(done({ data: { degradedReasons } }));
  expect(rig.services.console.status().hasUntoldApps).toBeUndefined();
});

test('a name that is taken, or one too many is refused', () => {
  const { rig } = startTwo();
  const { machines } = rig.services.console;
  expect(machines.add({ name: 'studio', address: 'x' })).toMatchObject({ refused: 'validation_failed' });
  for (let count = 1; count < 16; count += 1) machines.add({ name: `m${count}`, address: 'x' });
  expect(machines.add({ name: 'one-more', address: 'x' })).toMatchObject({ refused: 'validation_failed' });
});

test('N55: a dry run looks at nothing there before the person let its requester in, and no device tells an address', async () => {
  const studio = createFakeAgent();
  const reason = 'permission denied; run `ssh-copy-id ann@studio.local`';
  const rig = startServices({
    machines: (local) => ({
      ...localOnly(local),
      on: (machine) => (machine === 'studio' ? studio : local),
      state: () => ({ status: 'unreachable', reason }),
    }),
  });
  studio.listener = rig.services.agentListener('studio');
  rig.services.console.machines.add({ name: 'studio', address: 'ann@studio.local' });
  const registration = { type: 'linux', name: 'Studio', capabilities: ALL, machine: 'studio' };
  const { device } = rig.services.devices.register('eve', registration);
  expect(JSON.stringify(device)).not.toContain('studio.local');
  expect(rig.services.console.machines.list()).toMatchObject({ items: [{ reason }] });
  const body = { targetDeviceId: device.id, actionType: 'OpenApp', parameters: { appName: 'Secrets' }, dryRun: true };
  expect(await rig.submit(body, { userId: 'eve' })).toMatchObject({ kind: 'dryRun', dryRun: { verdict: 'ask' } });
  expect([studio.sent, [...studio.lookedUp.keys()]]).toEqual([[], []]);
});

test('N55: a dry run of a task looks at nothing there either, before the person let its requester in', async () => {
  const { rig, studio, there } = startTwo();
  const step = { id: 'a', targetDeviceId: there('eve'), actionType: 'OpenApp', parameters: { appName: 'Secrets' } };
  const answer = await submitTask(rig, [], { userId: 'eve', body: { steps: [step], dryRun: true } });
  expect([studio.sent, [...studio.lookedUp.keys()]]).toEqual([[], []]);
  expect(answer).toMatchObject({ kind: 'dryRun', dryRun: { steps: [{ verdict: 'ask' }] } });
});

describe('the person puts a file back', () => {
  const PATH = '/home/ann/notes.txt';
  const FORMER = { device: '1', inode: '10' };
  const WRITTEN = { device: '1', inode: '11' };
  const AGAIN = { device: '1', inode: '12' };
  const left = (identity = FORMER) => ({ identity, sha256: 'b'.repeat(64) });
  const undoOf = (from = FORMER, to = WRITTEN) =>
    ({
      kind: 'overwritten',
      path: PATH,
      folder: IDENTITY,
      left: left(to),
      former: { ...left(from), mode: 0o640 },
    }) as UndoFacts;

  async function written(
    two: ReturnType<typeof startTwo>,
    at: { device: string; agent: Rig['agent'] },
    undo: UndoFacts,
  ) {
    const parameters = { path: PATH, content: 'other', overwrite: true };
    const submission = two.rig.submit(
      { targetDeviceId: at.device, actionType: 'WriteFile', parameters },
      { waitMs: 0 },
    );
    await two.rig.sent();
    const found = { path: PATH, realPath: PATH, folder: IDENTITY, kind: 'file', identity: FORMER } as const;
    await answerLook({ agent: at.agent }, { ...found, sizeBytes: 6, names: 1 });
    const given = await submission;
    if (isRefusal(given) || given.kind !== 'action') throw new Error('expected an action');
    answerFirst(two.rig, 'allow');
    await at.agent.answer(done({ effect: 'confirmed', undo }));
    return given.action.actionId;
  }

  test('A31: on a machine only as long as it is the one that wrote it, and not another under its name', async () => {
    const two = startTwo();
    const { rig, studio } = two;
    const actionId = await written(two, { device: two.there(), agent: studio }, undoOf());
    rig.services.console.machines.remove('studio');
    rig.clock.advance(1_000);
    rig.services.console.machines.add({ name: 'studio', address: 'mallory@elsewhere' });
    const before = studio.sent.length;
    expect(await Promise.race([rig.services.console.fileUndos.undo(actionId), rig.sent()])).toMatchObject({
      refused: 'undo_not_possible',
      facts: { reason: 'nothing_to_undo' },
    });
    expect(studio.sent).toHaveLength(before);
  });

  test('A31: and the machine says nothing of a file of another', async () => {
    const two = startTwo();
    const { rig, studio } = two;
    // Here an action wrote what the other machine says that its own action found.
    const here = await written(two, { device: rig.deviceId, agent: rig.agent }, undoOf(FORMER, WRITTEN));
    const there = await written(two, { device: two.there(), agent: studio }, undoOf(WRITTEN, AGAIN));
    const undone = rig.services.console.fileUndos.undo(there);
    await studio.answer(done({ effect: 'confirmed', data: { path: PATH, identity: { device: '6', inode: '66' } } }));
    await undone;
    expect(rig.store.undos.find(here)?.facts).toEqual(undoOf(FORMER, WRITTEN));
  });
});

test('N55: a task that names a device of another requester looks at nothing there', async () => {
  const { rig, studio, there } = startTwo();
  const device = there('ann');
  const step = {
    id: 'a',
    actionType: 'OpenApp',
    targetDeviceId: device,
    parameters: { appName: 'Secrets' },
    dependsOn: [],
  };
  const answer = await rig.services.tasks.submit({
    userId: 'eve',
    body: { name: 'Peek', steps: [step] },
    gone: new AbortController().signal,
  });
  expect(answer).toMatchObject({ refused: 'device_not_found' });
  expect([studio.sent, [...studio.lookedUp.keys()]]).toEqual([[], []]);
});
