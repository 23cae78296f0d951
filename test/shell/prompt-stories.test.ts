import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import { until } from '../desktop/processes.ts';
import { begin, type Story, whenReady } from './story.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
/** A terminal is high risk. The fake desktop has none, so that an approval ends as `app_not_found`. */
const terminal = { actionType: 'OpenApp', parameters: { appName: 'xterm' } };

let story: Story;

beforeAll(async () => {
  story = await whenReady(await begin({ hasTouchId: true }));
});
afterAll(() => story.end());

async function asked(body: typeof screenshot | typeof terminal): Promise<{ actionId: string; prompt: Confirmation }> {
  const { actionId } = await story.submit(body);
  const prompt = await until('the prompt is there', async () => (await story.prompts())[0]);
  return { actionId, prompt };
}

describe('a prompt while an app fills the screen', () => {
  test('comes in a panel above it, on the display of the person, and leaves the keys where they are', async () => {
    await asked(screenshot);
    const panel = await until('the panel is there', () => story.panel()?.isVisible() && story.panel());
    expect(panel.options).toMatchObject({ type: 'panel', width: 420, height: 600, fullscreenable: false });
    // The first click only makes it active.
    expect(panel.options.acceptFirstMouse).toBe(false);
    expect(panel.calls).toEqual([
      'setAlwaysOnTop [true,"floating"]',
      'setVisibleOnAllWorkspaces [true,{"visibleOnFullScreen":true,"skipTransformProcessType":true}]',
      'showInactive',
    ]);
    expect([panel.hasFocus, panel.url.endsWith('/#/requests')]).toEqual([false, true]);
    expect(panel.bounds).toEqual({ x: 1_440 + 1_440 - 420 - 12, y: 37, width: 420, height: 600 });
  });

  test('is counted at the icon and named in the menu, where it can be reviewed and not answered', async () => {
    await until('the icon says so', () => story.tray.shown.image === '/app/tray/askingTemplate.png');
    expect([story.tray.shown.title, story.tray.labels()[0]]).toEqual(['1', '1 request waits for you']);
    story.tray.choose('Review: ann: Take a screenshot');
    expect(story.panel()?.calls.slice(-2)).toEqual(['show', 'focus']);
    expect(await story.prompts()).toHaveLength(1);
  });

  test('is told by a notification that names no action and offers to review only', () => {
    const [notice] = story.notices.all;
    expect(notice?.options).toEqual({
      title: 'Handrail needs your answer',
      body: 'A request waits for you.',
      actions: [{ type: 'button', text: 'Review' }],
    });
    expect(notice?.isShown).toBe(true);
  });

  test('goes on waiting when the person closes the panel', async () => {
    expect(story.panel()?.closedByPerson()).toBe(false);
    expect(story.panel()?.isVisible()).toBe(false);
    expect(await story.prompts()).toHaveLength(1);
    story.notices.all[0]?.emit('action', { actionIndex: 0, selectionIndex: -1 });
    expect(story.panel()?.isVisible()).toBe(true);
  });

  test('is answered at the panel, which then goes away with the notification', async () => {
    const [prompt] = await story.prompts();
    if (prompt === undefined) throw new Error('There is no prompt.');
    await story.read(prompt);
    const { actionId } = await story.answer(prompt, { decision: 'allow' });
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
    await until('the panel goes away', () => story.panel()?.isVisible() === false);
    expect([story.notices.all[0]?.isShown, story.tray.shown.title]).toEqual([false, '']);
  });

  test('comes in the panel, too, where the system shows no notification, which is logged', async () => {
    story.notices.fail('UNErrorDomain error 1');
    const { prompt } = await asked({ ...screenshot, parameters: { maxWidth: 100 } });
    await until('the panel is there', () => story.panel()?.isVisible());
    expect(story.logged.filter((line) => line.includes('UNErrorDomain error 1'))).toHaveLength(1);
    await story.answer(prompt, { decision: 'deny' });
  });
});

describe('presence by Touch ID', () => {
  let prompt: Confirmation;
  let actionId: string;

  beforeAll(async () => {
    ({ prompt, actionId } = await asked(terminal));
  });

  const touch = () => story.shellCall<string>(story.panel(), 'touchId', { confirmationId: prompt.id });
  const allow = (presence: 'hold' | 'touchId') =>
    story.answer<Partial<Action> & { code?: string }>(prompt, { decision: 'allow', presence });

  test('is what the prompt of a high risk asks for', async () => {
    expect(prompt).toMatchObject({
      presenceRequired: true,
      presenceBy: 'touchId',
      prompt: { risk: { level: 'high' } },
    });
    await story.read(prompt);
  });

  test('takes the place of the held press: any program can press', async () => {
    const hold = (phase: string) => story.http(`/confirmations/${prompt.id}/hold`, { phase });
    await hold('press');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await hold('release');
    expect(await allow('hold')).toMatchObject({ code: 'confirmation_not_ready' });
  });

  test('is not believed when a page only claims it', async () => {
    expect(await allow('touchId')).toMatchObject({ code: 'confirmation_not_ready' });
  });

  test('that is refused allows nothing', async () => {
    story.touch.cancel();
    expect(await touch()).toBe('refused');
    expect(await allow('touchId')).toMatchObject({ code: 'confirmation_not_ready' });
  });

  test('is asked for once at a time', async () => {
    const finger = Promise.withResolvers<void>();
    story.touch.state.answer = () => finger.promise;
    const first = touch();
    expect(await touch()).toBe('refused');
    finger.reject(new Error('Canceled by user.'));
    expect(await first).toBe('refused');
  });

  test('that is given lets the person allow, and names what is allowed in the dialog of the system', async () => {
    story.touch.state.answer = async () => undefined;
    expect(await touch()).toBe('touched');
    expect(story.touch.reasons.at(-1)).toBe(`allow “${prompt.prompt.sentence}”`);
    await allow('touchId');
    expect(await story.ended(actionId)).toMatchObject({ status: 'success' });
  });

  test('for a prompt that waits no longer asks for no finger', async () => {
    const before = story.touch.reasons.length;
    expect(await touch()).toBe('gone');
    expect(story.touch.reasons).toHaveLength(before);
  });

  test('gives way to the held press while the Mac cannot recognize a finger, as with its lid closed', async () => {
    story.touch.state.hasTouchId = false;
    const next = await asked({ ...terminal, parameters: { appName: 'kitty' } });
    expect([next.prompt.presenceRequired, next.prompt.presenceBy]).toEqual([true, undefined]);
    expect(await story.shellCall(story.panel(), 'touchId', { confirmationId: next.prompt.id })).toBe('unavailable');
    await story.answer(next.prompt, { decision: 'deny' });
    story.touch.state.hasTouchId = true;
  });
});

describe('nobody at the screen', () => {
  test.each([
    ['the screen is locked', 'lock-screen', 'unlock-screen', 'konsole'],
    ['the Mac sleeps', 'suspend', 'resume', 'alacritty'],
    ['another user takes the screen', 'user-did-resign-active', 'user-did-become-active', 'foot'],
  ])(
    'when %s the prompt expires and nothing is sent until the person is back',
    async (_what, leave, comeBack, appName) => {
      const done = story.ledger().length;
      const { actionId } = await asked({ ...terminal, parameters: { appName } });
      story.power.fire(leave);
      await until('the prompt has expired', async () => (await story.action(actionId)).status === 'expired');
      expect(await story.submit({ actionType: 'DescribeScreen', parameters: {} })).toMatchObject({ code: 'paused' });
      story.power.fire(comeBack);
      const look = await story.submit({ actionType: 'DescribeScreen', parameters: {} });
      expect(await story.ended(look.actionId)).toMatchObject({ status: 'success' });
      expect(story.ledger().slice(done)).toEqual([expect.stringContaining('"describe"')]);
      await until('the icon says so', () => story.tray.shown.title === '');
    },
  );
});
