import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openParentChannel } from '../../agent/parent-channel.ts';
import type { ParentMessage } from '../../src/contract/link.ts';

const CONNECT = { type: 'connect', url: 'ws://127.0.0.1:1/api/tee/agent', token: 'token' } as const;

test('under Electron the channel is the port of the utility process', () => {
  const posted: unknown[] = [];
  const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => posted.push(message) });
  withParentPort(port);
  const heard: ParentMessage[] = [];
  const channel = openParentChannel();
  channel?.listen({ message: (message) => heard.push(message), gone: () => undefined });
  port.emit('message', { data: CONNECT });
  port.emit('message', { data: { ...CONNECT, approve: true } });
  port.emit('message', { data: { type: 'stop' } });
  channel?.send({ type: 'token_wanted' });
  expect([heard, posted]).toEqual([[CONNECT, { type: 'stop' }], [{ type: 'token_wanted' }]]);
});

test('a process that nobody started as a child has no channel', () => {
  const { send } = process;
  onTestFinished(() => {
    if (send !== undefined) process.send = send;
  });
  delete process.send;
  expect(openParentChannel()).toBeNull();
});

function withParentPort(port: object): void {
  Object.defineProperty(process, 'parentPort', { value: port, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(process, 'parentPort'));
}
