import { expect, test } from 'vitest';
import { failedResult } from '../../src/mcp/results.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { firstPrompt } from './answers.ts';
import { type Rig, startServices } from './rig.ts';
import { submittedTask, taskNow } from './tasks-rig.ts';

const SCREENSHOT = { actionType: 'TakeScreenshot', parameters: {} };
const EXPIRY_MS = 90_000;

/** Nobody is at the dashboard, and a prompt waits. */
async function waiting(): Promise<Rig & { actionId: string; promptId: string }> {
  const rig = startServices({ isAway: true });
  const { actionId } = await rig.submitted(SCREENSHOT);
  const prompt = firstPrompt(rig);
  return { ...rig, actionId, promptId: prompt.id };
}

async function expired({ clock, services, actionId }: Awaited<ReturnType<typeof waiting>>) {
  await clock.advance(EXPIRY_MS);
  const action = services.actions.get('ann', actionId);
  if (isRefusal(action)) throw new Error(action.detail);
  return action;
}

test('a prompt of which nobody could learn expires with a code of its own, and with what to do', async () => {
  const action = await expired(await waiting());
  expect(action).toMatchObject({
    status: 'expired',
    error: { code: 'nobody_reached', fix: expect.stringContaining('open the dashboard'), retryable: false },
  });
  expect(action.details).toMatch(/^Nobody could be reached: no page of the dashboard was open/u);
});

test('a prompt that a page, a notification or a terminal could show expires unanswered', async () => {
  const [withPage, called, shown] = [await waiting(), await waiting(), await waiting()];
  withPage.services.console.confirmations.pageOpened();
  called.services.console.confirmations.callTaken(called.promptId);
  shown.services.console.confirmations.shown(shown.promptId);
  for (const rig of [withPage, called, shown]) {
    const action = await expired(rig);
    expect(action).toMatchObject({ status: 'expired', details: 'Nobody answered in time; nothing was done.' });
    expect(action.error).toBeUndefined();
  }
});

test('a page that was closed before the prompt came reached nobody, one that closed after it did', async () => {
  const before = startServices({ isAway: true });
  before.services.console.confirmations.pageOpened()();
  await before.clock.advance(1);
  const { actionId } = await before.submitted(SCREENSHOT);
  await before.clock.advance(EXPIRY_MS);
  expect(before.services.actions.get('ann', actionId)).toMatchObject({ error: { code: 'nobody_reached' } });
  const after = await waiting();
  after.services.console.confirmations.pageOpened()();
  expect((await expired(after)).error).toBeUndefined();
});

test('a call for another prompt reached nobody about this one', async () => {
  const rig = await waiting();
  rig.services.console.confirmations.callTaken('cnf_other');
  expect(await expired(rig)).toMatchObject({ error: { code: 'nobody_reached' } });
});

test('the steps of a plan that nobody could see say so too', async () => {
  const rig = startServices({ isAway: true });
  const { taskId } = await submittedTask(rig, [
    { id: 'one', ...SCREENSHOT },
    { id: 'two', ...SCREENSHOT, dependsOn: ['one'] },
  ]);
  await rig.clock.advance(10 * 60_000);
  expect(taskNow(rig, taskId).steps[0]).toMatchObject({ status: 'expired', error: { code: 'nobody_reached' } });
});

test('time-out, denial, no answer and nobody reached are four codes for a model', async () => {
  const action = await expired(await waiting());
  const { error: _none, ...unanswered } = action;
  const timeout = { code: 'timeout' as const, message: 'It took too long.', retryable: true };
  const codes = [
    failedResult({ ...action, status: 'failed', error: timeout }),
    failedResult({ ...unanswered, status: 'denied' }),
    failedResult(unanswered),
    failedResult(action),
  ].map(({ content }) => String(Object(content[0]).text).split(':')[0]);
  expect(codes).toEqual(['timeout', 'denied', 'expired', 'nobody_reached']);
});
