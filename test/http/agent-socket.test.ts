import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LINK_PATH } from '../../src/contract/link.ts';
import { PATIENCE } from '../runner/patience.ts';
import { type Rig, test } from './rig.ts';

function connectAgent(rig: Rig, headers: Record<string, string>): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${rig.port}${LINK_PATH}`, { headers });
}

test('an agent with a live token is let in, and its frames reach the link', async ({ rig }) => {
  const agent = connectAgent(rig, { authorization: `Bearer ${rig.door.token}` });
  await once(agent, 'open');
  const [transport] = rig.door.attached;
  const text = vi.fn();
  transport?.listen({ text, binary: vi.fn(), heartbeat: vi.fn(), closed: vi.fn() });
  agent.send('{"hello":1}');
  await vi.waitUntil(() => text.mock.calls.length > 0, PATIENCE);
  expect(text).toHaveBeenCalledWith('{"hello":1}');
  agent.terminate();
});

test('a closing server cuts an agent that answers nothing', async ({ rig }) => {
  const agent = connectAgent(rig, { authorization: `Bearer ${rig.door.token}` });
  await once(agent, 'open');
  const closed = once(agent, 'close');
  agent.pause();
  await rig.app.close();
  agent.resume();
  await closed;
});
