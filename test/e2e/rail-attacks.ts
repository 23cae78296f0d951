import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import { until } from '../desktop/processes.ts';
import { deviceOf, expectProblem, expectRefused, get, post } from '../http/attacks/target.ts';
import { sendRaw } from '../http/raw-http.ts';
import type { DaemonTarget } from './daemon-target.ts';
import type { Secrets } from './secrets.ts';

const SCREENSHOT = { actionType: 'TakeScreenshot', parameters: {} };
type Body = Omit<ActionSubmission, 'targetDeviceId'>;

/** Rows A1, A3, A6, A7, A9 and the rest of I4 and I5. */
export function railAttacks(target: () => DaemonTarget, secrets: Secrets): void {
  const daemon = () => target().daemon;
  const devices = new Map<string, string>();
  const person = () => ({ origin: daemon().base, authorization: `Bearer ${secrets.keys.get('a session key')}` });
  const ledgerOf = (happened: string) =>
    target()
      .ledger()
      .filter((line) => line.includes(`"${happened}"`));

  beforeAll(async () => {
    for (const userId of ['ann-7', 'eve-7']) {
      const capabilities = { canCaptureScreen: true, canOpenApps: true };
      devices.set(userId, (await daemon().register(capabilities, userId)).id);
    }
  });

  const submit = (body: Body, userId = 'ann-7', headers = {}) =>
    daemon().submit({ targetDeviceId: String(devices.get(userId)), ...body }, { userId, headers });

  async function promptOf({ actionId, userId }: Action): Promise<Confirmation> {
    const { body } = await daemon().call<Action>(`/api/tee/actions/${actionId}`, { userId });
    const path = `/api/console/confirmations/${body.confirmation?.id}`;
    return (await daemon().call<Confirmation>(path, { headers: person() })).body;
  }

  /** Shown, and old enough to be answered. */
  async function shown(action: Action): Promise<Confirmation> {
    const { id } = await promptOf(action);
    const path = `/api/console/confirmations/${id}/shown`;
    const { body } = await daemon().call<Confirmation>(path, { method: 'POST', headers: person() });
    await until('the prompt can be answered', () => Date.now() >= Date.parse(String(body.answerableAt)));
    return body;
  }

  function decide({ id, nonce, actionDigest }: Confirmation, overrides: object = {}) {
    const body = { decision: 'allow', scope: 'once', nonce, actionDigest, ...overrides };
    return daemon().call<Action & { code?: string }>(`/api/console/confirmations/${id}/decision`, {
      headers: person(),
      body,
    });
  }

  const cancel = ({ actionId }: Action, userId = 'ann-7') =>
    daemon().call(`/api/tee/actions/${actionId}/cancel`, { method: 'POST', userId });

  const ended = (actionId: string, userId = 'ann-7') =>
    until('the action has ended', async () => {
      const { body } = await daemon().call<Action>(`/api/tee/actions/${actionId}`, { userId });
      return ['success', 'failed'].includes(body.status) && body;
    });

  describe('A1: a name that is meant to be more than a name', () => {
    test.each([
      'Safari; rm -rf ~',
      '$(id)',
      '`id`',
      '-a Terminal',
      '"; do shell script "id',
      'Text Editor\nid',
      '/bin/sh',
      '../../bin/sh',
      'file:///bin/sh',
      'https://evil.example',
      'T\u0435xt Editor',
      'Text\u202eEditor',
      'Text\u200bEditor',
      'Ｔext Editor',
      '',
    ])('%j is refused, and nothing is opened', async (appName) => {
      const body = JSON.stringify({
        targetDeviceId: devices.get('ann-7'),
        actionType: 'OpenApp',
        parameters: { appName },
      });
      const bytes = post(target(), '/api/tee/actions', { userId: 'ann-7', body });
      await expectRefused(target(), bytes, { status: 422, code: 'parameters_invalid' });
    });

    test('the plain name is opened', async () => {
      const before = target().ledger().length;
      expect((await submit({ actionType: 'OpenApp', parameters: { appName: 'Text Editor' } })).body.status).toBe(
        'success',
      );
      expect(target().ledger().length).toBe(before + 1);
    });

    test('a name that no app has is looked up, and nothing is opened', async () => {
      await target().wasExecuted();
      const answer = await submit({
        actionType: 'OpenApp',
        parameters: { appName: secrets.appName },
        reason: secrets.reason,
      });
      expect(answer.body).toMatchObject({ status: 'failed', error: { code: 'app_not_found' } });
      expect(await target().wasExecuted()).toBe(false);
    });
  });

  test('A3: an answer that is stale, too early, or comes again does not count', async () => {
    const captures = ledgerOf('capture').length;
    const { body: action } = await submit(SCREENSHOT);
    const early = await decide(await promptOf(action));
    const prompt = await shown(action);
    const wrongDigest = await decide(prompt, { actionDigest: '0'.repeat(64) });
    const wrongNonce = await decide(prompt, { nonce: 'A'.repeat(prompt.nonce.length) });
    expect([early, wrongDigest, wrongNonce].map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'confirmation_not_ready'],
      [409, 'confirmation_stale'],
      [409, 'confirmation_stale'],
    ]);
    expect(ledgerOf('capture')).toHaveLength(captures);
    expect((await decide(prompt)).status).toBe(200);
    await ended(action.actionId);
    expect(await decide(prompt)).toMatchObject({ status: 409, body: { code: 'confirmation_resolved' } });
    expect(await decide(prompt, { decision: 'deny' })).toMatchObject({ status: 409 });
    expect(ledgerOf('capture')).toHaveLength(captures + 1);
    for (const code of ['confirmation_not_ready', 'confirmation_stale', 'confirmation_resolved'] as const) {
      expect([code, await target().wasCounted(code)]).toEqual([code, true]);
    }
  });

  test('A3: an answer after its time does not count', { timeout: 90_000 }, async () => {
    const settings = (promptExpiryMs: number) =>
      daemon().call('/api/console/settings', { method: 'PUT', headers: person(), body: { promptExpiryMs } });
    await settings(30_000);
    const { body: action } = await submit({ actionType: 'TakeScreenshot', parameters: { maxWidth: 333 } });
    await settings(90_000);
    const prompt = await shown(action);
    await until('its time is over', () => Date.now() > Date.parse(prompt.expiresAt), 40_000);
    const captures = ledgerOf('capture').length;
    expect(await decide(prompt)).toMatchObject({ status: 410, body: { code: 'confirmation_expired' } });
    expect(ledgerOf('capture')).toHaveLength(captures);
    expect(await target().wasCounted('confirmation_expired')).toBe(true);
  });

  test('A6: what was allowed once is asked again, unchanged or changed, under any key', async () => {
    const headers = { 'idempotency-key': 'a6' };
    const { body: first } = await submit(SCREENSHOT, 'ann-7', headers);
    await decide(await shown(first));
    await ended(first.actionId);
    const captures = ledgerOf('capture').length;
    const changed = { ...SCREENSHOT, parameters: { display: 'fake-1' } };
    const again = [await submit(SCREENSHOT), await submit(changed)];
    expect(again.map(({ body }) => body.status)).toEqual(['awaiting_confirmation', 'awaiting_confirmation']);
    expect((await submit(changed, 'ann-7', headers)).status).toBe(422);
    expect(await submit(SCREENSHOT, 'ann-7', headers)).toMatchObject({ body: { actionId: first.actionId } });
    expect(ledgerOf('capture')).toHaveLength(captures);
    for (const { body } of again) await cancel(body);
  });

  test('A7: a picture exists only after consent, and only for whom it was given', async () => {
    const folder = join(daemon().dataDirectory, 'artifacts');
    const before = readdirSync(folder).length;
    const captures = ledgerOf('capture').length;
    const { body: action } = await submit(SCREENSHOT);
    const { body: hers } = await submit(SCREENSHOT, 'eve-7');
    expect([action.artifacts, hers.artifacts, readdirSync(folder).length]).toEqual([undefined, undefined, before]);
    expect(ledgerOf('capture')).toHaveLength(captures);
    await decide(await shown(action), { scope: 'minutes15' });
    const { artifacts: [artifact] = [] } = await ended(action.actionId);
    const path = `/api/tee/artifacts/${artifact?.id}`;
    const picture = await daemon().call<Uint8Array>(path, { userId: 'ann-7' });
    expect([picture.status, picture.body.length]).toEqual([200, artifact?.sizeBytes]);
    secrets.noteImage(picture.body);
    expectProblem(await sendRaw(target(), get(target(), path, { userId: 'eve-7' })), {
      status: 404,
      code: 'artifact_not_found',
    });
    await decide(await promptOf(hers), { decision: 'deny' });
    const { body: inOtherWords } = await submit({ ...SCREENSHOT, parameters: { format: 'png' } }, 'eve-7');
    expect([inOtherWords.status, inOtherWords.artifacts]).toEqual(['denied', undefined]);
    const region = { x: 0, y: 0, width: 10, height: 10 };
    const { body: hersAgain } = await submit({ ...SCREENSHOT, parameters: { region } }, 'eve-7');
    expect(hersAgain.status).toBe('awaiting_confirmation');
    await cancel(hersAgain, 'eve-7');
    expect((await submit(SCREENSHOT)).body.status).toBe('success');
    expect(ledgerOf('capture')).toHaveLength(captures + 2);
  });

  test('A7: what the screen says is as private as its picture', async () => {
    const contents = { actionType: 'DescribeScreen', parameters: { contents: true } };
    const { body: asked } = await submit(contents);
    expect(asked).toMatchObject({ status: 'awaiting_confirmation' });
    expect(asked.data).toBeUndefined();
    const { body: labels } = await submit({ actionType: 'DescribeScreen', parameters: {} });
    expect(JSON.stringify(labels)).not.toContain(secrets.contents.get('what a document says'));
    await decide(await shown(asked));
    const read = JSON.stringify(await ended(asked.actionId));
    expect(read).toContain(secrets.contents.get('what a document says'));
    expect(read).not.toContain(secrets.contents.get('a password on the screen'));
  });

  test.each(['Handrail', 'handrail', 'Ｈandrail', 'Handrail.app', 'com.handrail.Handrail'])(
    'A9: %s is never the target of an action',
    async (appName) => {
      await target().wasExecuted();
      for (const actionType of ['OpenApp', 'QuitApp']) {
        const { status, body } = await submit({ actionType, parameters: { appName } });
        const code = 'code' in body ? body.code : undefined;
        expect([
          [403, 'action_blocked'],
          [422, 'parameters_invalid'],
        ]).toContainEqual([status, code]);
      }
      expect(await target().wasExecuted()).toBe(false);
    },
  );

  test('I4: fifty calls at once with one key are one action', async () => {
    const targetDeviceId = await deviceOf(target(), 'ann-7');
    const body = JSON.stringify({ targetDeviceId, actionType: 'DescribeScreen', parameters: {} });
    const bytes = post(target(), '/api/tee/actions', { userId: 'ann-7', body, headers: ['Idempotency-Key: fifty'] });
    const before = ledgerOf('describe').length;
    const responses = await Promise.all(Array.from({ length: 50 }, () => sendRaw(target(), bytes)));
    expect(responses.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(ledgerOf('describe')).toHaveLength(before + 1);
  });

  test('I5: what one user has is for another not there, to read, to cancel or to use', async () => {
    const { body: action } = await submit({
      actionType: 'TakeScreenshot',
      parameters: { region: { x: 7, y: 7, width: 77, height: 7 } },
    });
    const theirs = { targetDeviceId: String(devices.get('ann-7')), actionType: 'DescribeScreen', parameters: {} };
    const answers = [
      await daemon().call(`/api/tee/actions/${action.actionId}`, { userId: 'eve-7' }),
      await daemon().call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'eve-7' }),
      await daemon().call(`/api/tee/devices/${theirs.targetDeviceId}`, { userId: 'eve-7' }),
      await daemon().call(`/api/tee/devices/${theirs.targetDeviceId}`, { method: 'DELETE', userId: 'eve-7' }),
      await daemon().submit(theirs, { userId: 'eve-7' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const { body: still } = await daemon().call<Action>(`/api/tee/actions/${action.actionId}`, { userId: 'ann-7' });
    expect(still.status).toBe('awaiting_confirmation');
    for (const code of ['action_not_found', 'device_not_found'] as const) {
      expect([code, await target().wasCounted(code)]).toEqual([code, true]);
    }
  });
}
