import { expect } from 'vitest';
import { decide, firstPrompt, hold, show } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';
import { submittedTask } from './tasks-rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

function deny(rig: Rig, { undoable = true } = {}): string {
  const { id } = firstPrompt(rig);
  expect(decide(rig, 'deny', { undoable })).not.toHaveProperty('refused');
  return id;
}

/** The plan of a task of one step that asks. */
async function askedPlan(rig: Rig): Promise<string> {
  return (await submittedTask(rig, [{ id: 'shot', ...screenshot }])).taskId;
}

const statusOf = ({ services }: Rig, { actionId }: { actionId: string }) => services.actions.get('ann', actionId);

test('an undoable denial is final after 10 s, and not a moment earlier; until then the record says when', async () => {
  const rig = startServices();
  const action = await rig.submitted(screenshot);
  show(rig, 3_000);
  deny(rig);
  expect(rig.services.console.confirmations.list()).toEqual([]);
  rig.clock.advance(9_999);
  const until = { confirmation: { denialFinalAt: '2026-01-01T00:00:13.000Z' } };
  expect(statusOf(rig, action)).toMatchObject({ status: 'awaiting_confirmation', ...until });
  rig.clock.advance(1);
  expect(statusOf(rig, action)).toMatchObject({ status: 'denied' });
  const [row] = rig.store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'action.denied');
  expect(row?.metadata).toMatchObject({ heldMs: 10_000 });
  const detail = rig.services.console.activity.detail(action.actionId);
  expect(detail).toMatchObject({ prompt: { status: 'denied', decidedAt: '2026-01-01T00:00:03.000Z' } });
});

test('a denial that cannot be undone reaches the requester at once', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  const id = deny(rig, { undoable: false });
  expect(statusOf(rig, action)).toMatchObject({ status: 'denied' });
  expect(rig.services.console.confirmations.undo(id)).toMatchObject({ refused: 'confirmation_resolved' });
});

test('an undone denial puts the prompt back, and it must be shown anew before it can be allowed', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  show(rig);
  const id = deny(rig);
  rig.clock.advance(9_999);
  expect(rig.services.console.confirmations.undo(id)).toMatchObject({ id, status: 'pending' });
  expect(firstPrompt(rig).shownAt).toBeUndefined();
  expect(decide(rig, 'allow')).toMatchObject({ refused: 'confirmation_not_ready' });
  rig.clock.advance(10_000);
  expect(statusOf(rig, action)).toMatchObject({ status: 'awaiting_confirmation' });
  show(rig, 1_000);
  expect(decide(rig, 'allow')).toMatchObject({ status: 'running' });
  expect(rig.kinds()).toEqual(expect.arrayContaining(['confirmation.denial_held', 'confirmation.denial_undone']));
});

test('a hold from before a denial does not allow after the denial was undone', async ({ rig }) => {
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  expect(firstPrompt(rig).presenceRequired).toBe(true);
  show(rig);
  hold(rig);
  rig.services.console.confirmations.undo(deny(rig));
  show(rig);
  expect(decide(rig, 'allow')).toMatchObject({ refused: 'confirmation_not_ready' });
  hold(rig);
  expect(decide(rig, 'allow')).toMatchObject({ status: 'running' });
});

test('a denied prompt can neither be allowed nor denied again while its denial can be undone', async ({ rig }) => {
  await rig.submitted(screenshot);
  const prompt = firstPrompt(rig);
  show(rig, 1_000);
  deny(rig);
  const resolved = { refused: 'confirmation_resolved' };
  for (const decision of ['allow', 'deny'] as const) expect(decide(rig, decision, {}, prompt)).toMatchObject(resolved);
  expect(rig.services.console.confirmations.shown(prompt.id)).toMatchObject(resolved);
});

test('a request that repeats a denial is denied while that denial can still be undone', async ({ rig }) => {
  await rig.submitted(screenshot);
  deny(rig);
  expect(await rig.submitted(screenshot)).toMatchObject({ status: 'denied' });
});

test('a denial cannot be undone after the time of its request, and stands', async ({ rig }) => {
  rig.services.console.settings.put({ promptExpiryMs: 600_000 });
  const action = await rig.submitted(screenshot);
  rig.clock.advance(595_000);
  const id = deny(rig);
  rig.clock.advance(5_000);
  expect(rig.services.console.confirmations.undo(id)).toMatchObject({ refused: 'confirmation_expired' });
  rig.clock.advance(5_000);
  expect(statusOf(rig, action)).toMatchObject({ status: 'denied' });
});

test('a pause, a locked screen and the end of the daemon end the time to undo', async () => {
  for (const end of ['pause', 'lock', 'shutdown'] as const) {
    const rig = startServices();
    const first = await rig.submitted(screenshot);
    const id = deny(rig);
    if (end === 'pause') rig.services.console.pause();
    if (end === 'lock') rig.services.screen('locked');
    if (end === 'shutdown') await rig.services.end();
    expect([end, statusOf(rig, first)]).toMatchObject([end, { status: 'denied' }]);
    expect(rig.services.console.confirmations.undo(id)).toMatchObject({ refused: 'confirmation_resolved' });
  }
});

test('each of several denials of one requester can be undone for its own ten seconds', async ({ rig }) => {
  const first = await rig.submitted(screenshot);
  const second = await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  const denied = [deny(rig), deny(rig)];
  for (const each of [first, second]) expect(statusOf(rig, each)).toMatchObject({ status: 'awaiting_confirmation' });
  for (const id of denied) expect(rig.services.console.confirmations.undo(id)).toMatchObject({ id, status: 'pending' });
});

test('the plan of a task is denied and undone as a whole', async ({ rig }) => {
  const taskId = await askedPlan(rig);
  const id = deny(rig);
  expect(rig.services.tasks.get('ann', taskId)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(rig.services.console.confirmations.undo(id)).toMatchObject({ id, status: 'pending' });
  deny(rig);
  rig.clock.advance(10_000);
  expect(rig.services.tasks.get('ann', taskId)).toMatchObject({ status: 'failed', steps: [{ status: 'denied' }] });
});

test('a daemon that was killed before the denial was recorded records it at its next start', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  rig.clock.advance(3_000);
  deny(rig);
  rig.clock.advance(4_000);
  const again = rig.crashAndRestart();
  expect(statusOf(again, action)).toMatchObject({
    status: 'denied',
    details: 'The person denied it; nothing was done.',
  });
  const [row] = again.store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'action.denied');
  expect(row?.metadata).toMatchObject({ heldMs: 4_000 });
  const detail = again.services.console.activity.detail(action.actionId);
  expect(detail).toMatchObject({ prompt: { status: 'denied', decidedAt: '2026-01-01T00:00:03.000Z' } });
  expect(await again.submitted(screenshot)).toMatchObject({ status: 'denied' });
});

test('a denial that was undone before the daemon was killed does not count', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  rig.services.console.confirmations.undo(deny(rig));
  const again = rig.crashAndRestart();
  expect(statusOf(again, action)).toMatchObject({ status: 'expired' });
  expect(await again.submitted(screenshot)).toMatchObject({ status: 'awaiting_confirmation' });
});

test('the denial of a plan is recorded at the next start of a daemon that was killed', async ({ rig }) => {
  const taskId = await askedPlan(rig);
  deny(rig);
  const { tasks } = rig.crashAndRestart().services;
  expect(tasks.get('ann', taskId)).toMatchObject({ status: 'failed', steps: [{ status: 'denied' }] });
});

test('a denial counts although the daemon was killed in the middle of an emergency stop', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  deny(rig);
  rig.store.write('relaxed', () => rig.store.settings.set('pausedAtMs', rig.clock.nowMs()));
  const again = rig.crashAndRestart();
  expect(statusOf(again, action)).toMatchObject({
    status: 'denied',
    details: 'The person denied it; nothing was done.',
  });
});

test('a denial of another requester leaves the time to undo as it is', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  const id = deny(rig);
  rig.clock.advance(5_000);
  await rig.submit({ ...screenshot, targetDeviceId: rig.deviceOf('bob') }, { userId: 'bob', waitMs: 0 });
  deny(rig);
  expect(statusOf(rig, action)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(rig.services.console.confirmations.undo(id)).toMatchObject({ id, status: 'pending' });
});
