import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Agent, startAgent } from '../../agent/agent.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { UpgradeRefused } from '../../agent/open-web-socket.ts';
import type { ParentListener } from '../../agent/parent-channel.ts';
import type { ChildMessage } from '../../src/contract/link.ts';
import type { Transport } from '../../src/contract/transport.ts';
import { createLinkedTransports } from '../agent-host/link/linked-transports.ts';

const ACTION = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Rig = { agent: Agent; parent: ParentListener; exits: number[]; said: ChildMessage[] };

/** An agent whose link never closes and whose driver neither stops nor closes, with an action under way. */
async function stuckAgent(openLink?: () => Promise<Transport>): Promise<Rig> {
  const [ofDaemon, ofAgent] = createLinkedTransports();
  const never = new Promise<never>(() => undefined);
  const exits: number[] = [];
  const said: ChildMessage[] = [];
  let parent: ParentListener | undefined;
  const driver = { ...createFakeDriver(), openApp: () => never, close: () => never };
  const agent = startAgent({
    identity: { agentVersion: '0', bootId: 'boot', pid: 1, platform: 'linux', hostname: 'test' },
    parent: {
      send: (message) => void said.push(message),
      listen: (listener) => {
        parent = listener;
      },
    },
    openLink: openLink ?? (async () => ({ ...ofAgent, close: () => undefined })),
    loadDriver: async () => ({
      ...driver,
      platform: 'fake',
      environment: async () => ({ displays: [], permissions: PERMISSIONS }),
      warmUp: async () => undefined,
    }),
    log: () => undefined,
    exit: (code) => void exits.push(code),
  });
  ofDaemon.listen({ text: (text) => greet(ofDaemon, text), binary: quiet, heartbeat: quiet, closed: quiet });
  if (parent === undefined) throw new Error('the agent does not listen to its parent');
  parent.message({ type: 'connect', url: 'ws://127.0.0.1:1/', token: 'token' });
  await vi.advanceTimersByTimeAsync(100);
  return { agent, parent, exits, said };
}

/** Answers the hello and asks for an action that never ends. */
function greet(daemon: Transport, text: string): void {
  if (JSON.parse(text).method !== 'agent.hello') return;
  daemon.sendText(JSON.stringify({ jsonrpc: '2.0', id: 'hello', result: GREETING }));
  daemon.sendText(JSON.stringify({ jsonrpc: '2.0', id: `${ACTION}/1`, method: 'action.perform', params: PERFORM }));
}

const quiet = () => undefined;
const PERMISSIONS = { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' } as const;
const GREETING = { protocol: 1, sessionId: 'session', heartbeatMs: 10_000, maxFrameBytes: 2_097_152, verdicts: [] };
const PERFORM = {
  actionId: ACTION,
  attempt: 1,
  actionType: 'OpenApp',
  parameters: { appName: 'Notes' },
  targets: [{ kind: 'app', name: 'Notes', app: { appName: 'Notes', alsoKnownAs: [], risks: [] } }],
  capabilities: {},
  effectClass: 'once',
  deadlineMs: 60_000,
  digest: 'a'.repeat(64),
};

/** When the agent exits after this moment, in milliseconds, and with which code. */
async function exitOf({ exits }: Rig): Promise<{ afterMs: number; code: number | undefined }> {
  const startMs = Date.now();
  for (let count = 0; count < 1_000 && exits.length === 0; count += 1) await vi.advanceTimersByTimeAsync(10);
  return { afterMs: Date.now() - startMs, code: exits[0] };
}

test('an agent ends within three seconds of the stop message, although its driver hangs', async () => {
  const rig = await stuckAgent();
  rig.parent.message({ type: 'stop' });
  expect(await exitOf(rig)).toEqual({ afterMs: 2_900, code: 0 });
});

test('an agent ends within 600 ms of the end of its parent, although its driver hangs', async () => {
  const rig = await stuckAgent();
  rig.parent.gone();
  expect(await exitOf(rig)).toEqual({ afterMs: 600, code: 0 });
});

test('an agent that is broken ends within 600 ms, with an exit code of its own', async () => {
  const rig = await stuckAgent();
  rig.agent.fail(new Error('broken'));
  expect(await exitOf(rig)).toMatchObject({ code: 70 });
});

test('an agent that the daemon refuses ends, with an exit code of its own', async () => {
  const rig = await stuckAgent(async () => {
    throw new UpgradeRefused(401);
  });
  expect(await exitOf(rig)).toMatchObject({ code: 78 });
});
