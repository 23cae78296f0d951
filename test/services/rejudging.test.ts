import { expect } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { decide, firstPrompt, hold, show } from './answers.ts';
import { answerLook } from './looks.ts';
import { type Rig, startServices, test } from './rig.ts';
import { settle, stepsNow, submittedTask } from './tasks-rig.ts';

const PATH = '/home/ann/notes/today.txt';
const FOLDER = { device: '1', inode: '2' };
const NOTES: ResolvedPath = {
  path: '/home/ann/notes',
  realPath: '/home/ann/notes',
  kind: 'folder',
  identity: FOLDER,
  folder: FOLDER,
};
const FILE: ResolvedPath = {
  path: PATH,
  realPath: PATH,
  kind: 'file',
  folder: FOLDER,
  sizeBytes: 6,
  names: 1,
  identity: { device: '1', inode: '10' },
};

const MISSING: ResolvedPath = { path: PATH, realPath: PATH, kind: 'missing', folder: FOLDER };

type OnFile = { file?: ResolvedPath; content?: string };

const screenshot = { actionType: 'TakeScreenshot', parameters: {} } as const;

/** Submits an action on a file whose place the agent tells. */
async function onFile(rig: Rig, actionType: string, { file = FILE, ...parameters }: OnFile = {}): Promise<Action> {
  const submission = rig.submitted({ actionType, parameters: { path: PATH, ...parameters } });
  await rig.sent();
  await answerLook(rig, file);
  return submission;
}

async function allowFolder(rig: Rig, access: 'read' | 'write'): Promise<void> {
  const allowing = rig.services.console.folders.allow({ userId: 'ann', path: NOTES.path, access });
  await rig.sent();
  await answerLook(rig, NOTES);
  expect(await allowing).not.toHaveProperty('refused');
}

function now(rig: Rig, { actionId }: Action): Action {
  const action = rig.services.actions.get('ann', actionId);
  if (isRefusal(action)) throw new Error(action.detail);
  return action;
}

test('an action that a folder allowed meanwhile lets through runs, and its prompt is gone', async ({ rig }) => {
  const action = await onFile(rig, 'ReadFile');
  expect(action).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  const { id } = firstPrompt(rig);
  await allowFolder(rig, 'read');
  expect(now(rig, action)).toMatchObject({ status: 'running', risk: { level: 'low' } });
  expect(rig.agent.sent.at(-1)).toMatchObject({ actionId: action.actionId });
  expect(rig.services.console.confirmations.list()).toEqual([]);
  expect(rig.services.console.confirmations.get(id)).toMatchObject({ refused: 'not_found' });
  expect(rig.kinds()).toContain('action.released');
  expect(rig.kinds()).not.toContain('action.allowed');
  // The rules let it through, and not the person: the requester is no better known than before.
  expect(rig.services.isKnown('ann')).toBe(false);
});

test('a prompt whose folder was allowed shows the risk of now, and can be allowed once it was shown anew', async () => {
  const rig = startServices();
  const action = await onFile(rig, 'WriteFile', { content: 'new', file: MISSING });
  const before = firstPrompt(rig);
  expect(before.prompt.risk.level).toBe('high');
  show(rig);
  await allowFolder(rig, 'write');
  const after = firstPrompt(rig);
  expect([after.id, after.prompt.risk.level]).toEqual([before.id, 'medium']);
  expect(after.nonce).not.toBe(before.nonce);
  expect(after.shownAt).toBeUndefined();
  expect(decide(rig, 'allow', {}, before)).toMatchObject({ refused: 'confirmation_stale' });
  expect(decide(rig, 'allow', {}, after)).toMatchObject({ refused: 'confirmation_not_ready' });
  show(rig, 999);
  expect(decide(rig, 'allow', {}, after)).toMatchObject({ refused: 'confirmation_not_ready' });
  rig.clock.advance(1);
  expect(decide(rig, 'allow', {}, after)).toMatchObject({ status: 'running' });
  expect(now(rig, action).risk.level).toBe('medium');
});

test('a press that was held for a prompt of the old rules proves nothing for that of the new ones', async ({ rig }) => {
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  hold(rig);
  rig.services.console.profiles.assign('ann', 'trusted');
  show(rig);
  expect(decide(rig, 'allow')).toMatchObject({ refused: 'confirmation_not_ready' });
});

test('an action that the rules block meanwhile ends, and says why', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  rig.services.console.profiles.assign('ann', 'observe');
  expect(now(rig, action)).toMatchObject({
    status: 'cancelled',
    details: expect.stringContaining('The rules changed'),
  });
  expect(rig.services.console.confirmations.list()).toEqual([]);
});

test('the rules of one user judge only its own actions', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  rig.services.console.profiles.assign('bob', 'trusted');
  expect(now(rig, action).status).toBe('awaiting_confirmation');
  rig.services.console.profiles.assign('ann', 'trusted');
  expect(now(rig, action).status).toBe('running');
});

test('a grant lets the same actions through that wait, and leaves the other prompts as they are', async ({ rig }) => {
  rig.services.console.profiles.assign('ann', 'assist');
  const one = await rig.submitted(screenshot);
  const same = await rig.submitted(screenshot);
  await rig.submitted({ ...screenshot, parameters: { marks: true } });
  const { confirmations } = rig.services.console;
  const other = confirmations.list()[2];
  const otherNonce = rig.store.confirmations.find(other?.id ?? '')?.nonce;
  confirmations.shown(firstPrompt(rig).id);
  rig.clock.advance(1_000);
  expect(decide(rig, 'allow', { scope: 'minutes15' })).toMatchObject({ actionId: one.actionId });
  expect(now(rig, same).status).not.toBe('awaiting_confirmation');
  expect(confirmations.list().map(({ id }) => id)).toEqual([other?.id]);
  expect(rig.store.confirmations.find(other?.id ?? '')?.nonce).toBe(otherNonce);
  expect(rig.services.console.grants.list()[0]?.useCount).toBe(1);
});

test('a named profile still narrows an action that is judged anew', async ({ rig }) => {
  const action = await rig.submitted({ ...screenshot, profile: 'assist' });
  rig.services.console.profiles.assign('ann', 'trusted');
  expect(now(rig, action).status).toBe('awaiting_confirmation');
});

test('a denial that can still be undone is not judged anew', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  decide(rig, 'deny', { undoable: true });
  rig.services.console.profiles.assign('ann', 'trusted');
  rig.clock.advance(10_000);
  expect(now(rig, action).status).toBe('denied');
});

test('the time of a prompt that is judged anew goes on', async ({ rig }) => {
  const action = await rig.submitted(screenshot);
  rig.clock.advance(60_000);
  rig.services.console.profiles.assign('bob', 'assist');
  rig.clock.advance(30_000);
  expect(now(rig, action).status).toBe('expired');
});

test('a plan that waits is void after a change of the rules: its steps run or ask by themselves', async ({ rig }) => {
  const task = await submittedTask(rig, [
    { id: 'picture', actionType: 'TakeScreenshot', parameters: {} },
    { id: 'terminal', actionType: 'OpenApp', parameters: { appName: 'xterm' } },
  ]);
  const plan = firstPrompt(rig);
  expect(plan.kind).toBe('plan');
  rig.services.console.profiles.assign('ann', 'trusted');
  await settle();
  expect(stepsNow(rig, task.taskId)).toMatchObject({ picture: 'running', terminal: 'awaiting_confirmation' });
  expect(decide(rig, 'allow', {}, plan)).toHaveProperty('refused');
  expect(firstPrompt(rig)).toMatchObject({ kind: 'action', prompt: { risk: { level: 'high' } } });
});
