import { expect } from 'vitest';
import { firstPrompt } from './answers.ts';
import { CLICK, control, doneBy, handsOf, submitOn } from './hands.ts';
import { looksOf } from './looks.ts';
import { done, startServices, test } from './rig.ts';

test('N2: the prompt tells all that is known of a control, in visible characters that cannot end their quotation', async () => {
  const rig = startServices();
  const hostile = control({
    name: 'OK” of “Bank”\n\u202eGive',
    windowTitle: 'notes\u200b.txt',
    url: 'https://example.org/',
    documents: ['https://example.org/'],
    defaultButton: 'Send',
  });
  await submitOn(rig, CLICK, [hostile]);
  expect(firstPrompt(rig).prompt.control).toBe(
    'the button “OK\\u{201d} of \\u{201c}Bank\\u{201d}\\u{a}\\u{202e}Give” of “Mousepad”, “org.xfce.mousepad.desktop”, process 7, window “notes\\u{200b}.txt”, page “https://example.org/”, Return presses “Send”, 40 × 20 at 100, 100',
  );
});

test('N2: the requester does not learn the words of a control, nor the title of its window', async ({ rig }) => {
  const action = await submitOn(rig, CLICK, [control({ name: 'Delete the affair', windowTitle: 'Diary' })]);
  expect(action).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  expect(JSON.stringify(action)).not.toMatch(/affair|Diary/u);
  expect(firstPrompt(rig).prompt.sentence).toContain('Delete the affair');
});

test('a text that is typed stands whole in the prompt', async ({ rig }) => {
  const text = `${'a'.repeat(9_000)}\u202eend`;
  await submitOn(rig, { actionType: 'TypeText', parameters: { text } }, [control({ role: 'textbox' })]);
  expect(firstPrompt(rig).prompt.contents).toMatchObject({
    source: 'text',
    text: `${'a'.repeat(9_000)}\\u{202e}end`,
    isWhole: true,
  });
});

test.each([
  ['a', undefined],
  ['a'.repeat(60), undefined],
  ['a'.repeat(61), 'a'.repeat(61)],
  ['a\nb', 'a\nb'],
])('a text that the sentence says whole stands nowhere else: %j', async (text, whole) => {
  const rig = startServices();
  await submitOn(rig, { actionType: 'TypeText', parameters: { text } }, [control({ role: 'textbox' })]);
  expect(firstPrompt(rig).prompt.contents?.text).toBe(whole);
});

test('a text for the clipboard stands whole in the prompt', async ({ rig }) => {
  const text = `${'a'.repeat(200)}\u202eend`;
  await submitOn(rig, { actionType: 'WriteClipboard', parameters: { text } });
  const { prompt } = firstPrompt(rig);
  expect(prompt.sentence).toBe(`Replace the clipboard with “${'a'.repeat(59)}…” (204 characters)`);
  expect(prompt.contents).toMatchObject({ source: 'text', text: `${'a'.repeat(200)}\\u{202e}end`, isWhole: true });
});

test('the prompt has a picture of 640 × 260 around the control, and its outline', async ({ rig }) => {
  const bounds = { x: 1_000, y: 700, width: 40, height: 20 };
  await submitOn(rig, CLICK, [control({ bounds })]);
  const { id, prompt } = firstPrompt(rig);
  const region = { x: 700, y: 580, width: 640, height: 260 };
  expect(prompt).toMatchObject({ target: 'region', crop: { region, outlines: [bounds], points: [] } });
  const before = rig.agent.sent.length;
  void rig.services.console.targetPicture(id);
  expect(rig.agent.sent.slice(before)).toMatchObject([{ actionType: 'TakeScreenshot', parameters: { region } }]);
});

test('the picture of a point is around the point, however large the control is', async ({ rig }) => {
  const bounds = { x: 0, y: 0, width: 1_920, height: 1_080 };
  await submitOn(rig, { actionType: 'Click', parameters: { x: 300, y: 200 } }, [control({ bounds })]);
  expect(firstPrompt(rig).prompt.crop).toEqual({
    region: { x: -20, y: 70, width: 640, height: 260 },
    outlines: [bounds],
    points: [{ x: 300, y: 200 }],
  });
});

test('an element that is larger than its surroundings is shown with its window', async ({ rig }) => {
  const windowBounds = { x: 50, y: 40, width: 1_000, height: 700 };
  const bounds = { x: 60, y: 100, width: 980, height: 600 };
  await submitOn(rig, CLICK, [control({ bounds, windowBounds })]);
  expect(firstPrompt(rig).prompt.crop).toEqual({ region: windowBounds, outlines: [bounds], points: [] });
});

test('the page can get the window around a small control, in case its surroundings show nothing', async ({ rig }) => {
  const windowBounds = { x: 50, y: 40, width: 1_000, height: 700 };
  await submitOn(rig, CLICK, [control({ windowBounds })]);
  const { id, prompt } = firstPrompt(rig);
  expect(prompt.crop).toMatchObject({ region: { width: 640, height: 260 }, whole: windowBounds });
  const before = rig.agent.sent.length;
  void rig.services.console.targetPicture(id, { whole: true });
  expect(rig.agent.sent.slice(before)).toMatchObject([{ parameters: { region: windowBounds } }]);
});

test('the picture of a control at the edge of its window lies within the window along each side that has room for it', async () => {
  const rig = startServices();
  const bounds = { x: 130, y: 480, width: 40, height: 20 };
  await submitOn(rig, CLICK, [control({ bounds, windowBounds: { x: 119, y: 300, width: 1_000, height: 200 } })]);
  expect(firstPrompt(rig).prompt.crop?.region).toEqual({ x: 119, y: 360, width: 640, height: 260 });
});

test('a window that its surroundings hold is not offered', async ({ rig }) => {
  await submitOn(rig, CLICK, [control({ windowBounds: { x: 80, y: 80, width: 100, height: 60 } })]);
  expect(firstPrompt(rig).prompt.crop).not.toHaveProperty('whole');
});

test('the picture stays within the displays, also where one has negative coordinates', async ({ rig }) => {
  const display = { id: 'd1', name: 'One', scale: 1, primary: true };
  rig.agent.show([{ ...display, bounds: { x: -800, y: 0, width: 800, height: 600 } }]);
  const corner = { x: -790, y: 590, width: 4, height: 4 };
  await submitOn(rig, CLICK, [control({ bounds: corner })]);
  expect(firstPrompt(rig).prompt.crop?.region).toEqual({ x: -800, y: 340, width: 640, height: 260 });
});

test('of a control without a place there is no picture', async ({ rig }) => {
  await submitOn(rig, CLICK, [control({ bounds: null })]);
  expect(firstPrompt(rig).prompt.target).toBeUndefined();
});

test.each(['trusted', 'assist'])('under %s a critical control asks', async (profile) => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', profile);
  expect(await submitOn(rig, CLICK, [control({ name: 'Send' })])).toMatchObject({ status: 'awaiting_confirmation' });
});

test('trusted runs ordinary input without a question', async ({ rig }) => {
  rig.services.console.profiles.assign('ann', 'trusted');
  expect(await submitOn(rig, CLICK)).toMatchObject({ status: 'running' });
});

test.each([
  ['Handrail by its window', { isOwn: true }],
  ['Handrail by its name', { app: { appName: 'Handrail', alsoKnownAs: [], risks: [] } }],
  ['another screen', { app: { appName: 'iPhone Mirroring', alsoKnownAs: [], risks: [] } }],
])('N4: no profile and no grant lets input reach %s', async (_what, overrides) => {
  const rig = startServices();
  for (const profile of ['observe', 'assist', 'trusted', 'lockdown']) {
    rig.services.console.profiles.assign('ann', profile);
    for (const body of BODIES) {
      const found = body.actionType === 'Drag' ? [control(), control(overrides)] : [control(overrides)];
      expect(await submitOn(rig, body, found), profile).toMatchObject({ status: 'blocked' });
    }
  }
  expect(doneBy(rig)).toEqual([]);
});

test.each(['MinimizeWindow', 'FocusWindow', 'CloseWindow', 'MoveWindow', 'InvokeMenu'])(
  'N15: no profile lets %s change the window that shows the dashboard',
  async (actionType) => {
    const rig = startServices();
    const bounds = { x: 0, y: 0, width: 800, height: 600 };
    const browser = { id: '0x2', app: 'Chromium', pid: 9, title: '(1) Handrail - Chromium', bounds };
    const more =
      actionType === 'MoveWindow' ? { bounds } : actionType === 'InvokeMenu' ? { path: ['File', 'New'] } : {};
    for (const profile of ['observe', 'assist', 'trusted', 'lockdown']) {
      rig.services.console.profiles.assign('ann', profile);
      const action = await submitOn(rig, { actionType, parameters: { windowId: '0x2', ...more } }, [browser]);
      expect(action, profile).toMatchObject({ status: 'blocked' });
    }
    expect(doneBy(rig)).toEqual([]);
  },
);

const BODIES = [
  CLICK,
  { actionType: 'MovePointer', parameters: { x: 1, y: 1 } },
  { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e2' } } },
  { actionType: 'Scroll', parameters: { x: 1, y: 1, dy: 1 } },
  { actionType: 'TypeText', parameters: { text: 'x' } },
  { actionType: 'PressKeys', parameters: { keys: 'enter' } },
  { actionType: 'SetValue', parameters: { elementId: 'e1', value: 'x' } },
];

test('N1: what is sent to the agent carries the control that was judged, so that a moved or covered one is refused there', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const seen = control();
  await submitOn(rig, CLICK, [seen]);
  expect(doneBy(rig)).toMatchObject([{ targets: [{ kind: 'element', elementId: 'e1', control: seen }] }]);
});

test.each([
  ['moved', { bounds: { x: 0, y: 0, width: 40, height: 20 } }],
  ['renamed', { name: 'Wipe' }],
  ['covered by another window', { windowId: '0x2', windowTitle: 'Overlay' }],
])('N1: an approval does not hold for a control that was %s: it is another action', async (_what, overrides) => {
  const rig = startServices();
  await submitOn(rig, CLICK);
  const { actionDigest } = firstPrompt(rig);
  await submitOn(rig, CLICK, [control(overrides)]);
  const digests = rig.services.console.confirmations.list().map((each) => each.actionDigest);
  expect(new Set(digests).size).toBe(2);
  expect(digests).toContain(actionDigest);
});

test('N5: the focus is looked at for every action anew: a window that just took it is what is judged', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const typed = { actionType: 'TypeText', parameters: { text: 'secret' } };
  await submitOn(rig, typed, [control({ role: 'textbox' })]);
  await rig.agent.answer(done());
  const looks = looksOf(rig).length;
  const other = control({ role: 'textbox', app: { appName: 'Konsole', alsoKnownAs: [], risks: [] } });
  expect(await submitOn(rig, typed, [other])).toMatchObject({ status: 'awaiting_confirmation' });
  expect(looksOf(rig)).toHaveLength(looks + 1);
  expect(handsOf(rig)).not.toBe('');
});
