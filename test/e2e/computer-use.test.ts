import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { AnthropicResult, GeminiResponse, OpenAiOutput } from '../../src/contract/computer-use.ts';
import { showPicture } from '../bench/screenshot-picture.ts';
import type { Answer } from './daemon.ts';
import { shareHands } from './shared.ts';

const SIZE = { width: 1920, height: 1080 };

const { rig, daemon, person } = await shareHands({}, SIZE);
showPicture(rig.env, SIZE);

/** The prompts of one requester. */
async function promptsOf(userId: string) {
  return (await person.prompts()).filter(({ prompt }) => prompt.requester.userId === userId);
}

/** Mousepad with an empty file, seen by the window manager and the file system alone. */
async function openEditor() {
  const path = join(mkdtempSync(join(tmpdir(), 'handrail-hands-')), 'note.txt');
  writeFileSync(path, '');
  const opened = await rig.open('mousepad', ['--disable-server', path]);
  return { ...opened, text: () => readFileSync(path, 'utf8').trimEnd() };
}

/** The middle of a window, in a picture of the whole screen of some size. */
async function middleOf(windowId: string, picture: { width: number; height: number }): Promise<[number, number]> {
  const { x, y, width, height } = await rig.area(windowId);
  const across = ((x + width / 2) * picture.width) / SIZE.width;
  return [Math.round(across), Math.round(((y + height / 2) * picture.height) / SIZE.height)];
}

/** The person gives access to clicks and keys in an app, once. */
async function accessTo(userId: string, app: string): Promise<void> {
  const { id } = await daemon.register(undefined, userId);
  const parameters = { apps: [app], allow: 'input', minutes: 10 };
  const body = { targetDeviceId: id, actionType: 'RequestAccess', parameters };
  const asked = await daemon.call<{ actionId: string }>('/api/tee/actions', { userId, body });
  expect((await person.answer('allow')).status).toBe(200);
  expect(await daemon.ended(asked.body, userId)).toMatchObject({ status: 'success' });
}

/** Makes a call, and allows what it asks about, again and again, until it has ended. */
async function allowed<Body>(userId: string, ask: Ask<Body>): Promise<Answer<Body>> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 202) {
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.not.stringContaining('"failed"')]);
      return answer;
    }
    if ((await promptsOf(userId)).length > 0) expect((await person.answer('allow')).status).toBe(200);
    await daemon.call(pathOf(answer), { userId, headers: { prefer: 'wait=30' } });
  }
}

type Ask<Body> = () => Promise<Answer<Body>>;

/** Makes a call that asks, and the same again, which makes no second prompt. Then the person answers, and the call gives the outcome. */
async function answered<Body>(userId: string, ask: Ask<Body>, decision: 'allow' | 'deny'): Promise<Answer<Body>> {
  const first = await ask();
  expect([first.status, JSON.stringify(first.body)]).toEqual([202, expect.stringContaining('awaiting_confirmation')]);
  const again = await ask();
  expect([again.status, again.headers.get('location')]).toEqual([202, first.headers.get('location')]);
  expect(await promptsOf(userId)).toHaveLength(1);
  const decided = await person.answer(decision);
  expect(decided.status).toBe(200);
  const last = await daemon.call<Body>(pathOf(first), { userId, headers: { prefer: 'wait=30' } });
  expect(last.status).toBe(200);
  return ask();
}

function pathOf({ headers }: { headers: Headers }): string {
  return String(headers.get('location'));
}

async function sizeOf(base64: string) {
  const { format, width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
  return { format, width, height };
}

function post<Body>(vendor: string, userId: string, body: object): Promise<Answer<Body>> {
  return daemon.call<Body>(`/api/tee/computer-use/${vendor}`, { userId, body });
}

describe('a loop of Anthropic', () => {
  const userId = 'anthropic-loop';
  const use = (id: string, input: object) =>
    post<AnthropicResult>('anthropic', userId, { type: 'tool_use', id, name: 'computer', input });
  const imageOf = ({ body }: Answer<AnthropicResult>) =>
    body.content.flatMap((each) => (each.type === 'image' ? [each.source] : []));

  test('a zoom before any screenshot says that it needs one', async () => {
    const { status, body } = await use('toolu_00', { action: 'zoom', region: [0, 0, 100, 100] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_error: true, content: [{ text: expect.stringContaining('screenshot first') }] });
    expect(await promptsOf(userId)).toEqual([]);
  });

  test('a screenshot that the person allows has the size of the vendor, and a zoom shows a part of it', async () => {
    const screenshot = await answered(userId, () => use('toolu_01', { action: 'screenshot' }), 'allow');
    expect(screenshot).toMatchObject({ status: 200, body: { type: 'tool_result', tool_use_id: 'toolu_01' } });
    const [image] = imageOf(screenshot);
    expect(image?.media_type).toBe('image/png');
    expect(await sizeOf(image?.data ?? '')).toEqual({ format: 'png', width: 1429, height: 804 });

    const region = [0, 0, 714.5, 402];
    const zoom = await answered(userId, () => use('toolu_02', { action: 'zoom', region }), 'allow');
    expect(await sizeOf(imageOf(zoom)[0]?.data ?? '')).toEqual({ format: 'png', width: 960, height: 540 });
  });

  test('a wait asks nobody', async () => {
    const wait = await post<AnthropicResult>('anthropic', userId, {
      type: 'tool_use',
      id: 'toolu_03',
      toolset_name: 'computer',
      name: 'wait',
      input: { duration: 0.1 },
    });
    expect(wait).toMatchObject({ status: 200, body: { toolset_name: 'computer', content: [{ type: 'text' }] } });
    expect(wait.body.is_error).toBeUndefined();
    expect(await promptsOf(userId)).toEqual([]);
  });

  test('a half of a press is refused with the reason, an unknown member in other words', async () => {
    const texts = [];
    for (const action of ['left_mouse_down', 'teleport']) {
      const { body } = await use('toolu_04', { action, coordinate: [1, 1] });
      texts.push([body.is_error, ...body.content]);
    }
    expect(texts).toEqual([
      [true, { type: 'text', text: expect.stringMatching(/^left_mouse_down is not done by Handrail: .* stays down/) }],
      [true, { type: 'text', text: 'teleport is unknown: computer_20251124 has no member of this name.' }],
    ]);
    expect(await promptsOf(userId)).toEqual([]);
  });

  test('clicks and keys end in the text that they ask for', async () => {
    const editor = await openEditor();
    await answered(userId, () => use('toolu_06', { action: 'screenshot' }), 'allow');
    const [x, y] = await middleOf(editor.window.id, { width: 1429, height: 804 });
    const done = (id: string, input: object) => answered(userId, () => use(id, input), 'allow');
    await done('toolu_07', { action: 'left_click', coordinate: [x, y] });
    await done('toolu_08', { action: 'type', text: 'One two' });
    await done('toolu_09', { action: 'key', text: 'ctrl+s' });
    await rig.until('the file has the text', async () => editor.text() === 'One two' || undefined);
    await editor.app.end();
  });
});

test('an error for the model of Anthropic says that the person denied it', async () => {
  const userId = 'anthropic-denied';
  const body = { type: 'tool_use', id: 'toolu_05', name: 'computer', input: { action: 'screenshot' } };
  const denied = await answered(userId, () => post<AnthropicResult>('anthropic', userId, body), 'deny');
  expect(denied).toMatchObject({
    status: 200,
    body: { is_error: true, content: [{ type: 'text', text: expect.stringMatching(/^denied: .*The person decided/) }] },
  });
});

describe('a loop of OpenAI', () => {
  const call = (userId: string, rest: object) =>
    post<OpenAiOutput>('openai', userId, { type: 'computer_call', call_id: 'call_01', ...rest });
  const screenshot = { action: { type: 'screenshot' } };
  const checks = [{ id: 'cu_sc_01', code: 'malicious_instructions', message: 'The page gives instructions.' }];

  test('a flag is in the prompt at a higher risk, and is acknowledged only after the approval', async () => {
    const userId = 'openai-flagged';
    const ask = () => call(userId, { ...screenshot, pending_safety_checks: checks });
    const first = await ask();
    expect(first.body).toMatchObject({ status: 'in_progress', handrail: { status: 'awaiting_confirmation' } });
    expect(first.body).not.toHaveProperty('acknowledged_safety_checks');
    const [shown] = await promptsOf(userId);
    expect(shown?.prompt).toMatchObject({ reason: 'The page gives instructions.', risk: { level: 'high' } });
    expect(shown?.prompt.risk.reasons).toContain('The vendor of the model wants a person to confirm this.');
    const done = await answered(userId, ask, 'allow');
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', acknowledged_safety_checks: checks } });
    const [, base64 = ''] = String(done.body.output.image_url).split(',');
    expect(await sizeOf(base64)).toEqual({ format: 'png', width: 1440, height: 810 });
  });

  test('a denied flag is not acknowledged', async () => {
    const userId = 'openai-denied';
    const denied = await answered(userId, () => call(userId, { ...screenshot, pending_safety_checks: checks }), 'deny');
    expect(denied.body).toMatchObject({ status: 'incomplete', handrail: { status: 'denied', code: 'denied' } });
    expect(denied.body).not.toHaveProperty('acknowledged_safety_checks');
  });

  test('an approval of a call without flags acknowledges none, and a wait answers with a picture', async () => {
    const userId = 'openai-wait';
    const done = await answered(userId, () => call(userId, { actions: [{ type: 'wait' }] }), 'allow');
    expect(done).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(done.body).not.toHaveProperty('acknowledged_safety_checks');
    expect(done.body.output.image_url).toMatch(/^data:image\/png;base64,iVBOR/);
  });

  test('a click before any picture and an unknown action are refused with different codes', async () => {
    const userId = 'openai-hands';
    const answers = [await call(userId, { action: { type: 'click', x: 1, y: 1, button: 'left' } })];
    answers.push(await call(userId, { action: { type: 'teleport' } }));
    expect(answers).toMatchObject([
      { status: 422, body: { code: 'parameters_invalid', member: 'click' } },
      { status: 422, body: { code: 'unknown_action_type', member: 'teleport' } },
    ]);
  });

  test('a click, a text and keys end in the text that they ask for', async () => {
    const userId = 'openai-loop';
    await accessTo(userId, 'mousepad');
    const editor = await openEditor();
    const done = (action: object) => allowed(userId, () => call(userId, { action }));
    await done({ type: 'screenshot' });
    const [x, y] = await middleOf(editor.window.id, { width: 1440, height: 810 });
    const clicked = await done({ type: 'click', button: 'left', x, y });
    expect(clicked.body.output.image_url).toMatch(/^data:image\/png;base64,iVBOR/);
    await done({ type: 'type', text: 'Three' });
    await done({ type: 'keypress', keys: ['CTRL', 'S'] });
    await rig.until('the file has the text', async () => editor.text() === 'Three' || undefined);
    await editor.app.end();
  });
});

describe('a loop of Gemini', () => {
  const call = (userId: string, name: string, args = {}) =>
    post<GeminiResponse>('gemini', userId, { id: 'fc_01', name, args });

  test('a wait and an app that opens answer with a picture of the size of the vendor', async () => {
    const userId = 'gemini-loop';
    const steps: [string, object][] = [
      ['take_screenshot', {}],
      ['wait', { seconds: 0.1 }],
      ['open_app', { app_name: 'Mousepad' }],
    ];
    for (const [name, args] of steps) {
      const { status, body } = await answered(userId, () => call(userId, name, args), 'allow');
      expect([status, body.functionResponse.name, body.functionResponse.id]).toEqual([200, name, 'fc_01']);
      const [{ inlineData } = { inlineData: { data: '' } }] = body.functionResponse.parts ?? [];
      expect(await sizeOf(inlineData.data)).toEqual({ format: 'png', width: 1440, height: 810 });
      expect(body.functionResponse.response).not.toHaveProperty('safety_acknowledgement');
    }
    await rig.until('the app shows its window', async () =>
      (await rig.windows()).some(({ title }) => title.includes('Mousepad')),
    );
  });

  test('an app that is not there is an error with its stable code', async () => {
    const { status, body } = await call('gemini-app', 'open_app', { app_name: 'Nowhere' });
    expect(status).toBe(200);
    expect(body.functionResponse.response).toMatchObject({ status: 'failed', code: 'app_not_found' });
  });

  test('a half of a press and an unknown function are told apart', async () => {
    const codes = [];
    for (const name of ['mouse_down', 'teleport'])
      codes.push((await call('gemini-hands', name)).body.functionResponse.response);
    expect(codes).toMatchObject([
      { code: 'not_supported', error: expect.stringMatching(/^mouse_down is not done by Handrail: /) },
      { code: 'unknown_member', error: 'teleport is unknown: the computer use tool has no member of this name.' },
    ]);
  });

  test('a text on the grid and a chord end in the text that they ask for', async () => {
    const userId = 'gemini-hands';
    await accessTo(userId, 'mousepad');
    const editor = await openEditor();
    const done = (name: string, args: object) => allowed(userId, () => call(userId, name, args));
    await done('take_screenshot', {});
    const [x, y] = await middleOf(editor.window.id, { width: 1_000, height: 1_000 });
    await done('type_text_at', { x, y, text: 'Four', press_enter: false });
    await done('key_combination', { keys: 'control+s' });
    await rig.until('the file has the text', async () => editor.text() === 'Four' || undefined);
    await editor.app.end();
  });
});
