import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_ATTACHMENT_BYTES, MAX_TEXT_FRAME_BYTES } from '../../../src/contract/link.ts';
import {
  ACTION_A,
  ACTION_B,
  ARTIFACT,
  acceptedOf,
  createRig,
  helloMessage,
  MEDIA,
  OTHER_ARTIFACT,
  type PuppetAgent,
  performOf,
  type Rig,
  resultOf,
  until,
  verdictsOf,
} from './rig.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
const KEY_A = { actionId: ACTION_A, attempt: 1 };

describe.each(MEDIA)('the daemon end of the agent link over %s', (medium) => {
  describe('hello', () => {
    test('rule 1: a hello is answered with the protocol, the heartbeat, the frame limit and the verdicts', async () => {
      const rig = createRig({ medium, verdicts: verdictsOf('report') });
      const agent = await rig.greeted({ unacknowledged: [KEY_A] });
      expect(agent.heard).toEqual([
        {
          jsonrpc: '2.0',
          id: 'hello',
          result: {
            protocol: 1,
            sessionId: expect.any(String),
            heartbeatMs: 10_000,
            maxFrameBytes: 2_097_152,
            verdicts: [{ ...KEY_A, verdict: 'report' }],
          },
        },
      ]);
      expect(rig.told).toEqual([
        ['status', 'starting'],
        ['scripts tested', undefined],
        ['online', 'boot-1'],
        ['status', 'online'],
      ]);
      expect(rig.link.port.agent()).toMatchObject({ id: 'boot-1', platform: 'fake', hostname: 'desk' });
    });

    test('rule 1 and W2: a connection that says no hello in time is closed with 4408', async () => {
      const rig = createRig({ medium, limits: { helloMs: 20 } });
      const agent = await rig.connect();
      expect(await agent.closed).toBe(4408);
      expect(rig.toldOf('violated')).toEqual([['violated', 'no_hello']]);
      expect(rig.abandoned).toEqual([{ retry: true }]);
    });

    test('rule 1: a first message that is no hello is closed with 4401, and not tried again', async () => {
      const rig = createRig({ medium });
      const agent = await rig.connect();
      agent.say(acceptedOf(ACTION_A));
      expect(await agent.closed).toBe(4401);
      expect(rig.abandoned).toEqual([{ retry: false }]);
      expect(rig.link.port.status()).toBe('offline');
    });

    test('rule 1 and W2: an unsupported protocol is told the supported ones and closed with 4406', async () => {
      const rig = createRig({ medium });
      const agent = await rig.connect();
      agent.say(helloMessage({ protocol: 2 }));
      expect(await agent.closed).toBe(4406);
      expect(agent.heard).toEqual([
        {
          jsonrpc: '2.0',
          id: 'hello',
          error: { code: -32602, message: 'expected protocol 1, got 2', data: { supported: [1] } },
        },
      ]);
      expect(rig.abandoned).toEqual([{ retry: false }]);
    });

    test('rule 1: a second hello is closed with 4400', async () => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      agent.say(helloMessage());
      expect(await agent.closed).toBe(4400);
    });

    test('rule 1: what is asked while the hello is answered follows the answer', async () => {
      const rig: Rig = createRig({
        medium,
        verdicts() {
          rig.link.port.perform(performOf(ACTION_B));
          return [];
        },
      });
      const agent = await rig.greeted();
      await until(() => expect(agent.heard).toHaveLength(2));
      expect(agent.heard.map(({ id }) => id)).toEqual(['hello', `${ACTION_B}/1`]);
      agent.say(resultOf(ACTION_B));
      await until(() => expect(rig.outcomes).toHaveLength(1));
    });
  });

  describe('attempts', () => {
    test('rule 2: a perform is a request whose id names action and attempt', async () => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      rig.link.port.perform(performOf(ACTION_A, 3));
      await until(() => expect(agent.heard).toHaveLength(2));
      expect(agent.heard[1]).toEqual({
        jsonrpc: '2.0',
        id: `${ACTION_A}/3`,
        method: 'action.perform',
        params: performOf(ACTION_A, 3),
      });
    });

    test('rule 3 and rule 4: accepted and result reach the listener in that order', async () => {
      const { rig, agent } = await performing(medium);
      agent.say(acceptedOf(ACTION_A));
      agent.say(resultOf(ACTION_A, { data: { waitedMs: 0 } }));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.told.slice(-2)).toEqual([
        ['accepted', KEY_A],
        ['finished', KEY_A],
      ]);
      expect(rig.outcomes).toEqual([
        { ok: true, details: 'Waited.', effect: 'none', data: { waitedMs: 0 }, attachments: [] },
      ]);
    });

    test('rule 3: a status replaces displays and permissions', async () => {
      const { rig, agent } = await performing(medium);
      const permissions = { screenRecording: 'denied', accessibility: 'granted', automation: 'granted' };
      agent.say({ jsonrpc: '2.0', method: 'agent.status', params: { displays: [], permissions } });
      await until(() => expect(rig.link.port.agent()?.permissions.screenRecording).toBe('denied'));
      expect(rig.toldOf('violated')).toEqual([]);
    });

    test('a status says why scripts do not work, and another agent begins without a reason', async () => {
      const rig = createRig({ medium });
      const agent = await rig.greeted({ bootId: 'boot-1' });
      const permissions = { screenRecording: 'denied', accessibility: 'granted', automation: 'granted' };
      const params = { displays: [], permissions, scriptsFail: 'A sh script does not begin: no namespaces' };
      agent.say({ jsonrpc: '2.0', method: 'agent.status', params });
      await until(() => expect(rig.toldOf('scripts tested').at(-1)).toEqual(['scripts tested', params.scriptsFail]));
      agent.transport.terminate();
      await until(() => expect(rig.link.port.status()).toBe('starting'));
      await rig.greeted({ bootId: 'boot-1' });
      expect(rig.toldOf('scripts tested').at(-1)).toEqual(['scripts tested', params.scriptsFail]);
      rig.link.process.gone({ restarts: true });
      rig.link.process.started();
      await rig.greeted({ bootId: 'boot-2' });
      expect(rig.toldOf('scripts tested').at(-1)).toEqual(['scripts tested', undefined]);
    });

    test('rule 4: a failure carries code, side effect and fix', async () => {
      const { rig, agent } = await performing(medium);
      const data = { code: 'permission_missing', sideEffect: 'none', fix: 'Grant it.' };
      agent.say({ jsonrpc: '2.0', id: `${ACTION_A}/1`, error: { code: -32002, message: 'Not allowed.', data } });
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes).toEqual([{ ok: false, cancelled: false, message: 'Not allowed.', ...data }]);
    });

    test.each([
      [-32001, 'not_supported'],
      [-32002, 'permission_missing'],
      [-32003, 'app_not_found'],
      [-32004, 'timeout'],
      [-32005, 'busy'],
      [-32006, 'artifact_rejected'],
      [-32007, 'internal_error'],
      [-32603, 'internal_error'],
    ])('rule 8: the bare code %i is the failure %s, with an unknown side effect', async (code, failure) => {
      const { rig, agent } = await performing(medium);
      agent.say({ jsonrpc: '2.0', id: `${ACTION_A}/1`, error: { code, message: 'No.' } });
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({ ok: false, code: failure, sideEffect: 'unknown' });
    });

    test('rule 5: an acknowledged outcome is named to the agent', async () => {
      const { rig, agent } = await performing(medium);
      rig.link.port.acknowledge(KEY_A);
      await until(() => expect(agent.heard).toHaveLength(3));
      expect(agent.heard[2]).toEqual({ jsonrpc: '2.0', method: 'action.acknowledge', params: KEY_A });
    });

    test('rule 5: outcomes that were stored are named with the next request, in the order in which they were stored', async () => {
      const { rig, agent } = await performing(medium);
      rig.link.port.acknowledge(KEY_A);
      rig.link.port.acknowledge({ ...KEY_A, attempt: 2 });
      rig.link.port.perform(performOf(ACTION_B));
      await until(() => expect(agent.heard).toHaveLength(5));
      expect(agent.heard.slice(2).map(({ method }) => method)).toEqual([
        'action.acknowledge',
        'action.acknowledge',
        'action.perform',
      ]);
      expect(agent.heard.slice(2, 4).map(({ params }) => params)).toEqual([KEY_A, { ...KEY_A, attempt: 2 }]);
    });

    test('rule 6: a cancel is sent, and the answer -32800 is a cancelled outcome with its side effect', async () => {
      const { rig, agent } = await performing(medium);
      rig.link.port.cancel(KEY_A, 'emergency_stop');
      await until(() => expect(agent.heard).toHaveLength(3));
      expect(agent.heard[2]).toEqual({
        jsonrpc: '2.0',
        method: 'action.cancel',
        params: { ...KEY_A, reason: 'emergency_stop' },
      });
      const data = { code: 'timeout', sideEffect: 'done' };
      agent.say({ jsonrpc: '2.0', id: `${ACTION_A}/1`, error: { code: -32800, message: 'Stopped.', data } });
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({ ok: false, cancelled: true, sideEffect: 'done' });
    });

    test('rule 6: a cancel has been handed to the transport when the call returns', async () => {
      const { rig, agent } = await performing(medium);
      const left: string[] = [];
      rig.link.door.attach({
        ...agent.transport,
        listen: (receiver) =>
          receiver.text(JSON.stringify(helloMessage({ inflight: [{ ...KEY_A, phase: 'performing' }] }))),
        sendText: (text) => void left.push(String(JSON.parse(text).method)),
      });
      rig.link.port.cancel(KEY_A, 'emergency_stop');
      expect(left.at(-1)).toBe('action.cancel');
    });
  });

  describe('attachments', () => {
    test('rule 4: a result with attachments is finished once all bytes have come and agree', async () => {
      const { rig, agent } = await performing(medium);
      agent.say(resultOf(ACTION_A, { attachments: [announced(), announced({ id: OTHER_ARTIFACT })] }));
      agent.transport.sendBinary(frameOf(OTHER_ARTIFACT, PNG));
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({
        ok: true,
        attachments: [{ announced: announced() }, { announced: announced({ id: OTHER_ARTIFACT }) }],
      });
      const [outcome] = rig.outcomes;
      const bytes = outcome?.ok ? outcome.attachments.map((attachment) => Buffer.from(attachment.bytes)) : [];
      expect(bytes).toEqual([PNG, PNG]);
    });

    test.each([
      ['agree', announced({ role: 'before' }), [{ announced: announced({ role: 'before' }), bytes: PNG }]],
      ['do not agree', announced({ role: 'before', sha256: 'b'.repeat(64) }), undefined],
    ])('rule 4: a failure whose pictures %s stays that failure', async (_how, picture, attachments) => {
      const { rig, agent } = await performing(medium);
      const data = { code: 'target_changed', sideEffect: 'none' };
      const error = { code: -32603, message: 'It is another one.', data: { ...data, attachments: [picture] } };
      agent.say({ jsonrpc: '2.0', id: `${ACTION_A}/1`, error });
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      const failure = { ok: false, cancelled: false, message: 'It is another one.', ...data };
      expect(rig.outcomes).toEqual([{ ...failure, attachments }]);
      expect(rig.toldOf('violated')).toEqual([]);
    });

    test('rule 4: an attachment of the largest size arrives whole', async () => {
      const { rig, agent } = await performing(medium);
      const large = Buffer.concat([PNG, Buffer.alloc(MAX_ATTACHMENT_BYTES - PNG.length, 9)]);
      agent.say(resultOf(ACTION_A, { attachments: [announced({}, large)] }));
      agent.transport.sendBinary(frameOf(ARTIFACT, large));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({ ok: true });
    });

    test.each([
      ['another hash', announced({ sha256: 'b'.repeat(64) }), PNG],
      ['another size', announced({ sizeBytes: PNG.length + 1 }), PNG],
      ['another magic', announced({ mediaType: 'image/jpeg' }), PNG],
      ['no magic at all', announced({}, Buffer.from('GIF89a')), Buffer.from('GIF89a')],
      ['over 20 MiB announced', announced({ sizeBytes: MAX_ATTACHMENT_BYTES + 1 }), PNG],
    ])('R2: %s is artifact_rejected, and nothing is kept', async (_what, attachment, bytes) => {
      const { rig, agent } = await performing(medium);
      agent.say(resultOf(ACTION_A, { effect: 'confirmed', attachments: [attachment] }));
      agent.transport.sendBinary(frameOf(ARTIFACT, bytes));
      rig.link.port.perform(performOf(ACTION_B));
      agent.say(resultOf(ACTION_B));
      await until(() => expect(rig.outcomes).toHaveLength(2));
      expect(rig.outcomes[0]).toEqual({
        ok: false,
        cancelled: false,
        code: 'artifact_rejected',
        message: expect.stringContaining(ARTIFACT),
        sideEffect: 'done',
      });
      expect(rig.toldOf('violated')).toEqual([]);
    });

    test('R2: one bad attachment rejects the whole result, whatever follows', async () => {
      const { rig, agent } = await performing(medium);
      agent.say(
        resultOf(ACTION_A, { attachments: [announced({ sha256: 'b'.repeat(64) }), announced({ id: OTHER_ARTIFACT })] }),
      );
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      agent.transport.sendBinary(frameOf(OTHER_ARTIFACT, PNG));
      await answeredAll(rig, agent);
      expect(rig.outcomes[0]).toMatchObject({ ok: false, code: 'artifact_rejected', sideEffect: 'none' });
      expect(rig.toldOf('violated')).toEqual([]);
    });

    test('R2: an attachment announced twice is rejected, and the first result keeps its own', async () => {
      const { rig, agent } = await performing(medium);
      rig.link.port.perform(performOf(ACTION_B));
      agent.say(resultOf(ACTION_A, { attachments: [announced()] }));
      agent.say(resultOf(ACTION_B, { attachments: [announced()] }));
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      await until(() => expect(rig.outcomes).toHaveLength(2));
      expect(rig.outcomes).toMatchObject([{ ok: false, code: 'artifact_rejected' }, { ok: true }]);
    });

    test('R2: attachments that do not come are given up after the limit', async () => {
      const { rig, agent } = await performing(medium, { heartbeatMs: 10, attachmentMs: 20 });
      agent.say(resultOf(ACTION_A, { attachments: [announced()] }));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({ ok: false, code: 'artifact_rejected' });
    });

    test('rule 9: an attachment no result announced is ignored and reported', async () => {
      const { rig, agent } = await performing(medium);
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      await until(() => expect(rig.toldOf('violated')).toEqual([['violated', 'unexpected_attachment']]));
      expect(rig.outcomes).toEqual([]);
    });

    test.each([
      ['is too short', Buffer.from([0, 0])],
      ['claims a header beyond its end', Buffer.from([0, 0, 0, 200, 123])],
      ['claims an endless header', Buffer.from([255, 255, 255, 255, 123])],
      ['has a header that is no JSON', Buffer.from([0, 0, 0, 2, 33, 33])],
    ])('W2: a binary frame that %s is closed with 1003', async (_what, frame) => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      agent.transport.sendBinary([frame]);
      expect(await agent.closed).toBe(1003);
    });
  });

  describe('broken rules', () => {
    test.each([
      ['bad JSON', '{', -32700, 4400],
      ['a batch', '[]', -32600, 4400],
      ['a batch of good messages', JSON.stringify([acceptedOf(ACTION_A)]), -32600, 4400],
      ['a message of another shape', '{"jsonrpc":"2.0"}', -32600, 4400],
      ['a string', '"hello"', -32600, 4400],
      ['null', 'null', -32600, 4400],
      ['another version of JSON-RPC', JSON.stringify({ ...resultOf(ACTION_A), jsonrpc: '1.0' }), -32600, 4400],
      ['wrong parameters', '{"jsonrpc":"2.0","method":"action.accepted","params":{}}', -32602, 4400],
      ['an oversize text', JSON.stringify('x'.repeat(MAX_TEXT_FRAME_BYTES)), -32600, 1009],
      ['a text oversize in bytes only', JSON.stringify('\u6f22'.repeat(MAX_TEXT_FRAME_BYTES / 3 + 1)), -32600, 1009],
    ])('rule 8 and W2: %s is answered with the code and closed', async (_what, text, rpcCode, closeCode) => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      agent.transport.sendText(text);
      expect(await agent.closed).toBe(closeCode);
      expect(agent.heard[1]).toMatchObject({ error: { code: rpcCode } });
      expect(rig.toldOf('violated')).toHaveLength(1);
    });

    test('rule 9: an unknown method is refused with -32601, reported, and the link goes on', async () => {
      const { rig, agent } = await performing(medium);
      agent.say({ jsonrpc: '2.0', id: 'x', method: 'confirmation.approve', params: { id: 'cnf' } });
      await until(() => expect(agent.heard).toHaveLength(3));
      expect(agent.heard[2]).toMatchObject({ id: 'x', error: { code: -32601 } });
      expect(rig.toldOf('violated')).toEqual([['violated', 'unknown_method']]);
      await answeredAll(rig, agent);
    });

    test('W2: ten thousand unasked messages a second are closed with 4429', async () => {
      const { rig, agent } = await performing(medium);
      const permissions = { screenRecording: 'denied', accessibility: 'granted', automation: 'granted' };
      for (let count = 0; count < 10_000; count += 1) {
        agent.say({ jsonrpc: '2.0', method: 'agent.status', params: { displays: [], permissions } });
      }
      expect(await agent.closed).toBe(4429);
      expect(rig.toldOf('violated')).toEqual([['violated', 'flood']]);
      expect(rig.toldOf('lost')).toHaveLength(1);
    });

    test('W2: a flood of pings ends the link too', async () => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      for (let count = 0; count < 1_100; count += 1) agent.transport.ping();
      // `ws` by itself cuts off who pings faster than the answers can go out.
      expect(await agent.closed).toBe(medium === 'web socket' ? 1006 : 4429);
    });

    test('W2: a flood of results nobody asked for is reported a bounded number of times', async () => {
      const rig = createRig({ medium, limits: { unaskedPerSecond: 50 } });
      const agent = await rig.greeted();
      for (let index = 0; index < 10_000; index += 1) agent.say(resultOf(ACTION_A));
      expect(await agent.closed).toBe(4429);
      expect(rig.toldOf('violated')).toHaveLength(51);
    });

    test('W2: ten thousand answers in a second are no flood when each was asked for', async () => {
      const rig = createRig({ medium });
      const agent = await rig.greeted();
      const ids = Array.from({ length: 5_000 }, (_value, index) => `act_${String(index).padStart(26, '0')}`);
      for (const id of ids) rig.link.port.perform(performOf(id));
      for (const id of ids) {
        agent.say(acceptedOf(id));
        agent.say(resultOf(id));
      }
      await until(() => expect(rig.outcomes).toHaveLength(5_000));
      expect(rig.toldOf('violated')).toEqual([]);
    });

    test.each([
      ['doubled', [resultOf(ACTION_A), resultOf(ACTION_A)], 1],
      ['for another attempt', [resultOf(ACTION_A, {}, 2)], 0],
      ['for an action never sent', [resultOf(ACTION_B)], 0],
      ['accepted after the end', [resultOf(ACTION_A), acceptedOf(ACTION_A)], 1],
      ['accepted twice', [acceptedOf(ACTION_A), acceptedOf(ACTION_A)], 0],
    ])('rule 9 and W3: what is %s is ignored and reported', async (_what, messages, outcomes) => {
      const { rig, agent } = await performing(medium);
      for (const message of messages) agent.say(message);
      await until(() => expect(rig.toldOf('violated')).toHaveLength(1));
      expect(rig.outcomes).toHaveLength(outcomes);
    });

    test('W3: a second result while the first waits for its bytes is ignored', async () => {
      const { rig, agent } = await performing(medium);
      agent.say(resultOf(ACTION_A, { attachments: [announced()] }));
      agent.say(resultOf(ACTION_A));
      agent.transport.sendBinary(frameOf(ARTIFACT, PNG));
      await until(() => expect(rig.outcomes).toHaveLength(1));
      expect(rig.outcomes[0]).toMatchObject({ ok: true, attachments: [{}] });
      expect(rig.toldOf('violated')).toEqual([['violated', 'unexpected_result']]);
    });
  });
});

function announced(changes: object = {}, bytes: Buffer = PNG) {
  return {
    id: ARTIFACT,
    mediaType: 'image/png',
    width: 10,
    height: 10,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...changes,
  };
}

function frameOf(id: string, bytes: Buffer): Buffer[] {
  const header = Buffer.from(JSON.stringify({ id }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return [Buffer.concat([length, header]), bytes];
}

/** An agent that has been asked for attempt 1 of action A. */
async function performing(medium: (typeof MEDIA)[number], limits = {}) {
  const rig = createRig({ medium, limits });
  const agent = await rig.greeted();
  rig.link.port.perform(performOf(ACTION_A));
  await until(() => expect(agent.heard).toHaveLength(2));
  return { rig, agent };
}

/** The link still works: another action goes there and back, after everything said before. */
async function answeredAll(rig: Rig, agent: PuppetAgent): Promise<void> {
  const before = rig.outcomes.length;
  rig.link.port.perform(performOf(ACTION_B));
  agent.say(resultOf(ACTION_B));
  await until(() => expect(rig.outcomes.length).toBeGreaterThan(before));
}
