import { expect } from 'vitest';
import { test } from './rig.ts';

test('a wait of Anthropic answers with a tool result, and a member that cannot be done says why', async ({ rig }) => {
  const call = (input: object) =>
    rig.call('POST /api/tee/computer-use/anthropic', {
      userId: 'ann',
      body: { type: 'tool_use', id: 't1', name: 'computer', input },
    });
  expect(await call({ action: 'wait', duration: 1 })).toMatchObject({
    status: 200,
    body: { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text' }] },
  });
  const inputs = [{ action: 'left_mouse_down' }, { action: 'left_click', coordinate: [1, 1] }, { action: 'teleport' }];
  const answers = await Promise.all(inputs.map(call));
  const texts = answers.map(({ body }) => Object(body).is_error && Object(body).content[0].text);
  expect(texts).toEqual([
    'left_mouse_down is not done by Handrail: no key and no button stays down between two calls; left_click_drag does both.',
    'left_click was not done: take a screenshot first: coordinates belong to the last one.',
    'teleport is unknown: computer_20251124 has no member of this name.',
  ]);
});

test('a function of Gemini without a counterpart has another code than an unknown one', async ({ rig }) => {
  const call = async (name: string) => {
    const { body } = await rig.call('POST /api/tee/computer-use/gemini', { userId: 'ann', body: { name } });
    return Object(body).functionResponse.response;
  };
  expect(await call('mouse_down')).toMatchObject({ status: 'refused', code: 'not_supported' });
  expect(await call('click_at')).toMatchObject({ status: 'refused', code: 'parameters_invalid' });
  expect(await call('teleport')).toMatchObject({ status: 'refused', code: 'unknown_member' });
});

test('a click of OpenAI before any picture is a problem that names it', async ({ rig }) => {
  const body = { type: 'computer_call', call_id: 'c1', action: { type: 'click', x: 1, y: 1, button: 'left' } };
  expect(await rig.call('POST /api/tee/computer-use/openai', { userId: 'ann', body })).toMatchObject({
    status: 422,
    body: { code: 'parameters_invalid', member: 'click' },
  });
});

test('a prompt is found again by the same call, and a flag is acknowledged only after an approval', async ({ rig }) => {
  const args = { app_name: 'mousepad', safety_decision: { decision: 'require_confirmation', explanation: 'careful' } };
  const call = () => rig.call('POST /api/tee/computer-use/gemini', { userId: 'ann', body: { name: 'open_app', args } });
  const [first, again] = [await call(), await call()];
  expect([first.status, first.headers.get('location')]).toEqual([202, again.headers.get('location')]);
  expect(JSON.stringify(first.body)).not.toContain('safety_acknowledgement');
  const [prompt, ...others] = rig.services.console.confirmations.list();
  if (prompt === undefined) throw new Error('nothing waits');
  expect(others).toEqual([]);
  const { id, nonce, actionDigest } = prompt;
  rig.services.console.confirmations.decide(id, { decision: 'allow', scope: 'once', nonce, actionDigest });
  expect(await call()).toMatchObject({
    status: 200,
    body: { functionResponse: { name: 'open_app', response: { safety_acknowledgement: 'true' }, parts: [{}] } },
  });
});
