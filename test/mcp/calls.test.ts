import { expect } from 'vitest';
import { done, notDone } from '../services/rig.ts';
import { startCalls, test, textOf } from './rig.ts';

const LOOK = { id: 'look', actionType: 'describe_screen', parameters: {} };

const structured = ({ structuredContent }: { structuredContent?: unknown }) => Object(structuredContent);

test('a call that asks answers with the id, who is asked, how long, the next tool, and that asking again is useless', async () => {
  const rig = startCalls();
  const result = await rig.call('take_screenshot');
  const { actionId } = structured(result);
  expect(result).toEqual({
    content: [
      {
        type: 'text',
        text: [
          'awaiting_confirmation: nothing was done yet. Waiting for a person to allow it at the dashboard: Take a screenshot of the main display.',
          'The person at this computer is being asked, and has about 90 s to answer. Only they can.',
          `Next, call wait_for_action with {"actionId":"${actionId}"}: it waits for their answer and gives the result.`,
          'To make the same call again is useless: it finds this same prompt.',
        ].join('\n'),
      },
    ],
    structuredContent: { status: 'awaiting_confirmation', actionId, expiresAt: expect.any(String) },
  });
});

test('the prompt has the name that the client claims, and no other user’s prompt is joined', async ({ rig }) => {
  await rig.call('take_screenshot');
  await rig.call('take_screenshot', {}, { userId: 'mcp:other' });
  const { confirmations } = rig.services.console;
  const whole = rig.prompts().map(({ id }) => confirmations.get(id));
  expect(whole).toMatchObject([
    { prompt: { requester: { userId: 'mcp:probe', program: { claims: 'probe' } } } },
    { prompt: { requester: { userId: 'mcp:other' } } },
  ]);
});

test('M8: a name with characters that reverse or hide is shown with escapes', async ({ rig }) => {
  await rig.call('take_screenshot', {}, { claims: 'claude\u202eedoc\u200b' });
  const [prompt] = rig.prompts().map(({ id }) => rig.services.console.confirmations.get(id));
  const claims = 'claude\\u{202e}edoc\\u{200b}';
  expect(prompt).toMatchObject({ prompt: { requester: { program: { claims } } } });
});

test('the same call again finds the same prompt, whatever the order of its parameters', async ({ rig }) => {
  const first = await rig.call('take_screenshot', { format: 'png', maxWidth: 100 });
  const again = await rig.call('take_screenshot', { maxWidth: 100, format: 'png' });
  expect(structured(again).actionId).toBe(structured(first).actionId);
  expect(rig.prompts()).toHaveLength(1);
  const other = await rig.call('take_screenshot', { format: 'jpeg', maxWidth: 100 });
  expect(structured(other).actionId).not.toBe(structured(first).actionId);
  expect(rig.prompts()).toHaveLength(2);
});

test('50 same calls at one time make one prompt', async ({ rig }) => {
  const results = await Promise.all(Array.from({ length: 50 }, () => rig.call('take_screenshot')));
  expect(new Set(results.map((result) => structured(result).actionId)).size).toBe(1);
  expect(rig.prompts()).toHaveLength(1);
});

test('same calls that do not ask are each done', async ({ rig }) => {
  const results = await Promise.all([rig.call('describe_screen'), rig.call('describe_screen')]);
  expect(new Set(results.map((result) => structured(result).actionId)).size).toBe(2);
});

test('after the answer the same call asks anew', async ({ rig }) => {
  const first = await rig.call('take_screenshot');
  await rig.allow();
  const again = await rig.call('take_screenshot');
  expect(structured(again).actionId).not.toBe(structured(first).actionId);
});

test('the outcome is fetched by its id after the answer, and by nobody else', async ({ rig }) => {
  const { actionId } = structured(await rig.call('take_screenshot'));
  await rig.allow();
  expect(await rig.call('wait_for_action', { actionId })).toMatchObject({
    structuredContent: { status: 'success', actionId },
  });
  rig.clock.advance(23 * 3_600_000);
  expect(structured(await rig.call('wait_for_action', { actionId })).status).toBe('success');
  const stolen = await rig.call('wait_for_action', { actionId }, { userId: 'mcp:other' });
  expect(stolen).toMatchObject({ isError: true, structuredContent: { error: { code: 'action_not_found' } } });
});

test('a client that goes away before it has the answer withdraws the prompt', async ({ rig }) => {
  const call = rig.begin('take_screenshot', {}, { holdMs: 600_000 });
  await expect.poll(() => rig.prompts()).toHaveLength(1);
  call.leave();
  await call.result;
  expect(rig.prompts()).toEqual([]);
});

test('a prompt whose id was answered stands after the client has gone', async ({ rig }) => {
  await rig.call('take_screenshot');
  const waiting = rig.begin('take_screenshot', {}, { holdMs: 600_000 });
  await rig.sent();
  waiting.leave();
  await waiting.result;
  expect(rig.prompts()).toHaveLength(1);
});

test('of two clients that wait for one prompt, the first to go leaves it to the other', async ({ rig }) => {
  const [one, other] = [
    rig.begin('take_screenshot', {}, { holdMs: 600_000 }),
    rig.begin('take_screenshot', {}, { holdMs: 600_000 }),
  ];
  await expect.poll(() => rig.prompts()).toHaveLength(1);
  await rig.sent();
  one.leave();
  await one.result;
  expect(rig.prompts()).toHaveLength(1);
  other.leave();
  await other.result;
  expect(rig.prompts()).toEqual([]);
});

test('a client that has gone before its call is stored leaves no prompt', async ({ rig }) => {
  const call = rig.begin('take_screenshot', {}, { holdMs: 600_000 });
  call.leave();
  await call.result;
  expect(rig.prompts()).toEqual([]);
});

test('a denial is an error with its code, and says not to try another way', async ({ rig }) => {
  const { actionId } = structured(await rig.call('take_screenshot'));
  rig.deny();
  rig.clock.advance(11_000);
  const result = await rig.call('wait_for_action', { actionId });
  expect(result).toMatchObject({ isError: true, structuredContent: { status: 'denied', error: { code: 'denied' } } });
  expect(textOf(result)).toContain('Do not ask for the same in another way.');
});

test.each(['take_screenshot', 'submit_task'])(
  '%s learns of a denial at once, and gets it when it is final',
  async (name) => {
    const rig = startCalls();
    const args = name === 'submit_task' ? { steps: [{ ...LOOK, actionType: 'take_screenshot' }] } : {};
    const call = rig.begin(name, args, { holdMs: 600_000 });
    await expect.poll(() => call.told.length).toBe(1);
    rig.denyForNow();
    await expect.poll(() => call.told.length).toBe(2);
    expect(call.told[1]).toMatch(/The person denied this; they may still change that for 10 s\.$/);
    const [prompt] = call.told[1]?.match(/^(?:act|tsk)_\w+/) ?? [];
    const waited = await rig.call(name === 'submit_task' ? 'get_task' : 'wait_for_action', {
      [name === 'submit_task' ? 'taskId' : 'actionId']: prompt,
    });
    expect(textOf(waited)).toContain('The person denied this; they may still change that for 10 s.');
    rig.clock.advance(10_000);
    expect(textOf(await call.result)).toContain('denied');
    expect(await call.result).toMatchObject({ isError: true });
  },
);

test('a denial that the person takes back is told too, and the call goes on', async ({ rig }) => {
  const call = rig.begin('take_screenshot', {}, { holdMs: 600_000 });
  await expect.poll(() => call.told.length).toBe(1);
  const [{ id } = { id: '' }] = rig.prompts();
  rig.denyForNow();
  await expect.poll(() => call.told.length).toBe(2);
  rig.services.console.confirmations.undo(id);
  await expect.poll(() => call.told.length).toBe(3);
  expect(call.told[2]).toContain('Waiting for the person at this computer to allow or deny this');
  call.leave();
  await call.result;
});

test('a failed action is an error that begins with the stable code', async ({ rig }) => {
  const { actionId } = structured(await rig.call('describe_screen'));
  await rig.sent();
  await rig.agent.answer(notDone({ code: 'display_unavailable', message: 'There is no display.' }));
  const result = await rig.call('wait_for_action', { actionId });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'display_unavailable' } } });
  expect(textOf(result)).toMatch(/^display_unavailable: There is no display\./);
});

test.each([
  ['no_such_tool', {}, 'unknown_action_type'],
  ['open_app', { appName: 'Notes', approved: true }, 'parameters_invalid'],
  ['open_app', { appName: 'x'.repeat(70_000) }, 'payload_too_large'],
  ['wait_for_action', {}, 'validation_failed'],
  ['wait_for_action', { actionId: 'act_unknown' }, 'action_not_found'],
  ['get_task', { taskId: 'tsk_unknown' }, 'task_not_found'],
  ['submit_task', { steps: 'all' }, 'validation_failed'],
  ['submit_task', { steps: [{ ...LOOK, targetDeviceId: 'dev_unknown' }] }, 'device_not_found'],
  ['submit_task', { steps: [{ ...LOOK, actionType: 'peek' }] }, 'unknown_action_type'],
])('the call %s with wrong arguments is refused with its code, and counted', async (name, args, code) => {
  const rig = startCalls();
  const result = await rig.call(name, args);
  expect(result).toMatchObject({ isError: true, structuredContent: { status: 'refused', error: { code } } });
  expect(rig.refused).toEqual([code]);
  expect(rig.agent.sent).toEqual([]);
  // A model knows tools, and no paths of HTTP.
  expect(JSON.stringify(result)).not.toMatch(/GET |POST |\/api\//);
});

test('a task names tools and no device, asks once, and its prompt is found again', async ({ rig }) => {
  const steps = [
    { id: 'look', actionType: 'describe_screen', parameters: {} },
    { id: 'shot', actionType: 'take_screenshot', parameters: {}, dependsOn: ['look'] },
  ];
  const first = await rig.call('submit_task', { steps });
  const again = await rig.call('submit_task', { steps });
  expect(structured(first)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(structured(again).taskId).toBe(structured(first).taskId);
  expect(rig.prompts()).toHaveLength(1);
  expect(textOf(first)).toContain(`call get_task with {"taskId":"${structured(first).taskId}"}`);
});

test('a client that goes away before it has the id of its task takes the task back', async ({ rig }) => {
  const steps = [{ id: 'shot', actionType: 'take_screenshot', parameters: {} }];
  const call = rig.begin('submit_task', { steps }, { holdMs: 600_000 });
  await expect.poll(() => rig.prompts()).toHaveLength(1);
  call.leave();
  await call.result;
  expect(rig.prompts()).toEqual([]);
});

test('this computer is a device of a client before its first action, and registered once', async ({ rig }) => {
  const names = async () =>
    structured(await rig.call('list_devices')).devices.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['This computer']);
  await rig.call('describe_screen');
  await rig.call('describe_screen');
  expect(await names()).toEqual(['This computer']);
});

test('the result of a task has the output of each step, and says how to get the rest of a long one', async () => {
  const rig = startCalls();
  const steps = [LOOK, { ...LOOK, id: 'again', dependsOn: ['look'] }];
  const submitted = await rig.call('submit_task', { steps });
  await rig.sent();
  await rig.agent.answer(done({ data: { seen: 'Mousepad' } }));
  await rig.sent();
  await rig.agent.answer(done({ data: { text: 'x'.repeat(5_000) } }));
  const result = await rig.call('get_task', { taskId: structured(submitted).taskId });
  const [look, again] = structured(result).steps;
  expect(look).toMatchObject({ id: 'look', status: 'success', data: { seen: 'Mousepad' } });
  expect(again).not.toHaveProperty('data');
  expect(textOf(result)).toContain('- look (DescribeScreen): success\n{"seen":"Mousepad"}\n- again');
  expect(textOf(result)).toContain(`wait_for_action with {"actionId":"${again.actionId}"} gives all of it.`);
  expect(textOf(result).length).toBeLessThan(4_500);
});

test('python3 is taken as python, alone and in a task', async ({ rig }) => {
  const parameters = { interpreter: 'python3', script: 'print(1)' };
  await rig.call('run_script', parameters);
  await rig.call('submit_task', { steps: [{ id: 'run', actionType: 'run_script', parameters }] });
  const shown = rig.prompts().map(({ id }) => JSON.stringify(rig.services.console.confirmations.get(id)));
  expect(shown).toHaveLength(2);
  for (const prompt of shown) expect(prompt).toContain('{\\"interpreter\\":\\"python\\"');
});

test('a model can ask for its grants and folders, with the time left', async ({ rig }) => {
  expect(structured(await rig.call('get_access'))).toEqual({ access: [], grants: [], folders: [] });
  await rig.call('take_screenshot');
  rig.decide('allow', 'minutes15');
  const left = { secondsLeft: 900, expiresAt: expect.any(String) };
  const allows = '“mcp:probe” can take screenshots of the main display on "This computer" for 15 minutes.';
  expect(structured(await rig.call('get_access'))).toEqual({
    access: [],
    grants: [{ actionType: 'TakeScreenshot', allows, ...left }],
    folders: [],
  });
  expect(structured(await rig.call('get_access', {}, { userId: 'mcp:other' })).grants).toEqual([]);
});
