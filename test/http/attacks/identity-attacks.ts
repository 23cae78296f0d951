import { describe, expect, test } from 'vitest';
import { sendRaw } from '../raw-http.ts';
import {
  describeScreen,
  deviceOf,
  expectProblem,
  expectRefused,
  expectServed,
  get,
  post,
  type Request,
  type Target,
} from './target.ts';

/** Rows I1 to I5: who asks, and with what body. */
export function identityAttacks(target: () => Target): void {
  const submit = (request: Request) => post(target(), '/api/tee/actions', { userId: 'ann', ...request });

  describe('I1: a user id that is missing or is none', () => {
    const refused = async (headers: readonly string[], expected: Parameters<typeof expectRefused>[2]) => {
      const body = await describeScreen(target());
      await expectRefused(target(), post(target(), '/api/tee/actions', { headers, body }), expected);
    };

    test('none at all', () => refused([], { status: 401, code: 'user_id_required' }));
    test('none for a read', () =>
      expectRefused(target(), get(target(), '/api/tee/devices'), { status: 401, code: 'user_id_required' }));

    test.each([
      '',
      'a'.repeat(129),
      '../ann',
      'a/b',
      'ann bob',
      '"ann"',
      "ann'",
      'ann;drop',
      'änn',
      'ann\u00a0',
      '%61nn',
      'ann,bob',
    ])('"%s"', async (userId) => {
      await expectServed(target());
      await refused([`x-user-id: ${userId}`], { status: 400, code: 'user_id_invalid' });
    });

    test('two headers', () => refused(['x-user-id: ann', 'X-User-Id: bob'], { status: 400, code: 'user_id_invalid' }));
    test('a line break in it', () => refused(['x-user-id: ann\r'], { status: 400, code: 'malformed_http' }));

    test('the longest id there may be is served', async () => {
      const userId = `${'a'.repeat(122)}._@:+-`;
      await expectServed(target(), { userId, body: await describeScreen(target(), userId) });
    });

    test('in the query or the body only', async () => {
      const body = JSON.stringify({ ...JSON.parse(await describeScreen(target())), userId: 'ann', 'x-user-id': 'ann' });
      const bytes = post(target(), '/api/tee/actions?x-user-id=ann&userId=ann', { body });
      await expectRefused(target(), bytes, { status: 401, code: 'user_id_required' });
    });
  });

  describe('I2: JSON that is not, or that aims at the parser', () => {
    const wrapped = async (parameters: string) => {
      const targetDeviceId = await deviceOf(target(), 'ann');
      return `{"targetDeviceId":"${targetDeviceId}","actionType":"DescribeScreen","parameters":${parameters}}`;
    };
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

    test.each([
      ['half an object', '{"a":'],
      ['single quotes', "{'contents':true}"],
      ['a comment', '{}/* */'],
      ['NaN', '{"a":NaN}'],
      ['__proto__', '{"__proto__":{"approved":true}}'],
      ['an escaped __proto__', '{"\\u005f_proto__":{"approved":true}}'],
      ['constructor.prototype', '{"constructor":{"prototype":{"approved":true}}}'],
      ['30,000 levels of arrays', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
      ['a high surrogate alone', '{"display":"\\ud800"}'],
      ['a low surrogate alone', '{"display":"\\udc00x"}'],
      ['half a pair as a name', '{"\\ud83d":1}'],
    ])('%s', async (_what, parameters) => {
      await expectServed(target());
      const bytes = submit({ body: await wrapped(parameters) });
      await expectRefused(target(), bytes, { status: 400, code: 'invalid_json' });
      await expectServed(target());
    });

    test('30,000 levels of objects, which only the body of a task has room for', async () => {
      await expectServed(target());
      const bytes = post(target(), '/api/tee/tasks', { userId: 'ann', body: deep(30_000) });
      await expectRefused(target(), bytes, { status: 400, code: 'invalid_json' });
      await expectServed(target());
    });

    test('half a surrogate pair in the reason', async () => {
      const action = await wrapped('{}');
      const body = action.replace('"parameters"', '"reason":"because \\ud83d","parameters"');
      await expectRefused(target(), submit({ body }), { status: 400, code: 'invalid_json' });
      await expectServed(target(), { body: body.replace('\\ud83d', '\\ud83d\\ude00') });
    });

    test('bytes that are not UTF-8', async () => {
      const body = await wrapped('{"display":"?"}');
      const bytes = Buffer.from(submit({ body }), 'latin1');
      bytes[bytes.indexOf('?"')] = 0xff;
      await expectRefused(target(), bytes, { status: 400, code: 'invalid_json' });
    });

    test.each(['', '   ', 'null', '[]', '"text"', '1'])('a body of "%s"', async (body) => {
      const bytes = submit({ body, headers: body === '' ? ['Content-Length: 0'] : [] });
      const response = await sendRaw(target(), bytes);
      const code = body.trim() === '' ? 'invalid_json' : 'validation_failed';
      expectProblem(response, { status: 400, code });
    });
  });

  describe('I3: a body that says more than it may, or says it in another type', () => {
    test.each([
      ['approved', { approved: true }],
      ['risk', { risk: 'low' }],
      ['userId', { userId: 'bob' }],
      ['status', { status: 'success' }],
      ['confirmation', { confirmation: { id: 'cnf_x' } }],
    ])('the property %s', async (name, more) => {
      await expectServed(target());
      const body = JSON.stringify({ ...JSON.parse(await describeScreen(target())), ...more });
      const response = await expectRefused(target(), submit({ body }), { status: 400, code: 'validation_failed' });
      const message = expect.stringMatching(/^is not known here: known are targetDeviceId, actionType, /);
      expect(JSON.parse(response.body).errors).toEqual([{ pointer: `/${name}`, message }]);
    });

    test.each([
      ['targetDeviceId', 7],
      ['actionType', null],
      ['actionType', ['DescribeScreen']],
      ['parameters', []],
      ['parameters', '{}'],
      ['timeoutMs', '1000'],
      ['timeoutMs', 1.5],
      ['timeoutMs', 0],
      ['dryRun', 'false'],
      ['reason', 'x'.repeat(501)],
    ])('%s of another type or size', async (name, value) => {
      const body = JSON.stringify({ ...JSON.parse(await describeScreen(target())), [name]: value });
      const response = await expectRefused(target(), submit({ body }), { status: 400, code: 'validation_failed' });
      expect(JSON.parse(response.body).errors).toEqual([{ pointer: `/${name}`, message: expect.any(String) }]);
    });
  });

  describe('I4: idempotency', () => {
    const keyed = async (key: string, more: Request = {}) =>
      submit({
        body: await describeScreen(target(), more.userId ?? 'ann'),
        ...more,
        headers: [`Idempotency-Key: ${key}`],
      });

    test('a replay answers the same, and says so', async () => {
      const first = await sendRaw(target(), await keyed('i4-replay'));
      const again = await sendRaw(target(), await keyed('i4-replay'));
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(JSON.parse(again.body)).toEqual(JSON.parse(first.body));
    });

    test('the same key with another body is refused', async () => {
      await sendRaw(target(), await keyed('i4-other-body'));
      const body = JSON.stringify({ ...JSON.parse(await describeScreen(target())), reason: 'another' });
      await target().wasExecuted();
      const response = await sendRaw(target(), await keyed('i4-other-body', { body }));
      expectProblem(response, { status: 422, code: 'idempotency_key_reused' });
      expect(await target().wasExecuted()).toBe(false);
    });

    test('the same key of another user is another key', async () => {
      const mine = await sendRaw(target(), await keyed('i4-users'));
      const theirs = await sendRaw(target(), await keyed('i4-users', { userId: 'bob' }));
      expect(theirs.status).toBe(200);
      expect(JSON.parse(theirs.body).actionId).not.toBe(JSON.parse(mine.body).actionId);
    });

    test('fifty at once with one key make one action', async () => {
      const bytes = await keyed('i4-fifty');
      const responses = await Promise.all(Array.from({ length: 50 }, () => sendRaw(target(), bytes)));
      const served = responses.filter(({ status }) => status === 200);
      expect(new Set(served.map(({ body }) => JSON.parse(body).actionId)).size).toBe(1);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectProblem(response, { status: 409, code: 'idempotency_in_progress' });
      }
    });

    test.each([
      ['empty', ''],
      ['too long', 'k'.repeat(256)],
      ['not ASCII', 'ä'],
    ])('a key that is %s', async (_what, key) => {
      await expectRefused(target(), await keyed(key), { status: 400, code: 'idempotency_key_invalid' });
    });

    test('two keys', async () => {
      const headers = ['Idempotency-Key: a', 'Idempotency-Key: b'];
      const bytes = submit({ body: await describeScreen(target()), headers });
      await expectRefused(target(), bytes, { status: 400, code: 'idempotency_key_invalid' });
    });
  });

  describe("I5: another user's things", () => {
    const expectHidden = async (bytes: string, code: Parameters<typeof expectProblem>[1]['code']) => {
      await target().wasExecuted();
      expectProblem(await sendRaw(target(), bytes), { status: 404, code });
      expect(await target().wasExecuted()).toBe(false);
    };

    test('a device is not theirs to read, delete or use', async () => {
      await expectServed(target());
      const id = await deviceOf(target(), 'ann');
      await expectHidden(get(target(), `/api/tee/devices/${id}`, { userId: 'eve' }), 'device_not_found');
      const remove = get(target(), `/api/tee/devices/${id}`, { userId: 'eve' }).replace('GET', 'DELETE');
      await expectHidden(remove, 'device_not_found');
      await expectHidden(submit({ userId: 'eve', body: await describeScreen(target()) }), 'device_not_found');
    });

    test('an action is not theirs to read, cancel or list', async () => {
      const response = await sendRaw(target(), submit({ body: await describeScreen(target()) }));
      const { actionId } = JSON.parse(response.body);
      await expectHidden(get(target(), `/api/tee/actions/${actionId}`, { userId: 'eve' }), 'action_not_found');
      await expectHidden(post(target(), `/api/tee/actions/${actionId}/cancel`, { userId: 'eve' }), 'action_not_found');
      const list = await sendRaw(target(), get(target(), '/api/tee/actions', { userId: 'eve' }));
      expect(JSON.parse(list.body).items).toEqual([]);
    });
  });
}
