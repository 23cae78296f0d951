import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Device } from '../../src/contract/device.ts';
import type { MachineList } from '../../src/contract/machine-view.ts';
import type { Task } from '../../src/contract/task.ts';
import { heldDown } from '../desktop/held.ts';
import { until } from '../desktop/processes.ts';
import { startRig } from '../desktop/rig.ts';
import {
  type Console,
  childOf,
  EVERYTHING,
  type RunningDaemon,
  START,
  startDaemonProcess,
  startDaemonWith,
} from '../e2e/daemon.ts';
import { machineHas } from '../runner/machine-needs.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { type SecondMachine, startSecondMachine } from './sshd.ts';

/** One daemon, its own desktop, and another account's desktop behind a real `sshd`. */
describe('two machines under one rail', () => {
  skipAllWithout('root');
  let second: SecondMachine;
  let daemon: RunningDaemon;
  let person: Console;
  let here = '';
  let there = '';
  let desktop: Awaited<ReturnType<typeof startRig>>;

  const asPerson = <Body>(path: string, { body, method }: { body?: unknown; method?: string } = {}) =>
    daemon.call<Body>(`/api/console${path}`, {
      body,
      ...(method && { method }),
      headers: { origin: daemon.base, authorization: `Bearer ${person.key}` },
    });

  const machine = async () => (await asPerson<MachineList>('/machines')).body.items[0];

  const isOnline = () =>
    until('the second machine is online', async () => (await machine())?.status === 'online', 40_000);

  async function register(name?: string) {
    const registration = {
      type: 'linux',
      name: name ?? 'here',
      capabilities: EVERYTHING,
      ...(name && { machine: name }),
    };
    return daemon.call<Device>('/api/tee/devices/register', { userId: 'ann', body: registration });
  }

  async function submitted(task: object): Promise<string> {
    const { body, status } = await daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: task });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.taskId;
  }

  const taskNow = async (id: string) => (await daemon.call<Task>(`/api/tee/tasks/${id}`, { userId: 'ann' })).body;

  async function ended(id: string): Promise<Task> {
    await until('the task has ended', async () => (await taskNow(id)).finishedAt !== undefined, 60_000);
    return taskNow(id);
  }

  /** Answers every prompt with yes until the work is over. Answers their sentences. */
  async function allowing<Made>(work: Promise<Made>): Promise<{ made: Made; asked: string[] }> {
    const asked: string[] = [];
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const [prompt] = await person.prompts();
      if (prompt === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
      else {
        asked.push(
          ...(prompt.kind === 'plan' ? prompt.plan.steps.map((step) => step.sentence ?? '') : [prompt.prompt.sentence]),
        );
        await person.answer('allow');
      }
    }
    return { made: await done, asked };
  }

  async function act(targetDeviceId: string, actionType: string, parameters: object): Promise<Action> {
    const body = { actionType, targetDeviceId, parameters };
    return (await daemon.call<Action>('/api/tee/actions', { userId: 'ann', body, headers: { prefer: 'wait=60' } }))
      .body;
  }

  beforeAll(async () => {
    if (!machineHas('root')) return;
    second = await startSecondMachine();
    desktop = await startRig({ width: 1280, height: 800 });
    daemon = await startDaemonProcess({
      ...desktop.env,
      HANDRAIL_RATE_LIMITS: 'off',
      HANDRAIL_SSH_CONFIG: String(second.sshArguments[1]),
    });
    await until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online');
    person = await daemon.signIn();
    here = (await register()).body.id;
    const { name, ...way } = second.machine;
    const added = await asPerson<MachineList>('/machines', { body: { name: 'studio', ...way } });
    expect(added.status, daemon.log()).toBe(200);
    expect(name).toBe('second');
    await isOnline();
    there = (await register('studio')).body.id;
  }, 120_000);

  afterAll(async () => {
    await daemon?.stop();
    await desktop?.close();
    await second?.close();
  });

  test('a device says which machine it is, and may not say another platform', async () => {
    expect((await daemon.call<Device>(`/api/tee/devices/${there}`, { userId: 'ann' })).body).toMatchObject({
      machine: 'studio',
      platform: 'linux',
      status: 'online',
      agent: { displays: [{ bounds: { width: 1920, height: 1080 } }] },
    });
    const asMac = { type: 'macos', name: 'x', capabilities: {} };
    const refused = await daemon.call('/api/tee/devices/register', { userId: 'ann', body: asMac });
    expect(refused).toMatchObject({ status: 422, body: { code: 'device_type_mismatch' } });
    const elsewhere = { type: 'linux', name: 'x', capabilities: {}, machine: 'nowhere' };
    const unknown = await daemon.call<{ detail: string }>('/api/tee/devices/register', {
      userId: 'ann',
      body: elsewhere,
    });
    expect(unknown.status).toBe(422);
    expect(unknown.body.detail).toContain('local, studio');
  });

  test('N55: the first action of a requester there asks, also a harmless one; then it is as it is here', async () => {
    const first = await allowing(act(there, 'DescribeScreen', {}));
    expect(first.asked).toEqual([expect.stringMatching(/^On studio: /u)]);
    expect(first.made.status).toBe('success');
    const next = await allowing(act(there, 'DescribeScreen', {}));
    expect(next).toMatchObject({ asked: [], made: { status: 'success' } });
    const stranger = await daemon.call<Device>('/api/tee/devices/register', {
      userId: 'eve',
      body: { type: 'linux', name: 'mine', capabilities: EVERYTHING, machine: 'studio' },
    });
    const body = { actionType: 'DescribeScreen', targetDeviceId: stranger.body.id, parameters: {} };
    const asks = await daemon.call<Action>('/api/tee/actions', { userId: 'eve', body });
    expect(asks.body.status).toBe('awaiting_confirmation');
    await person.answer('deny');
  });

  test('one task of six steps opens an app on both, takes a picture there, and writes a file here from a result there', async () => {
    const file = join(daemon.dataDirectory, '..', `from-studio-${process.pid}.txt`);
    const step = (
      id: string,
      [actionType, targetDeviceId]: [string, string],
      parameters: object,
      dependsOn: string[] = [],
    ) => ({
      id,
      targetDeviceId,
      actionType,
      parameters,
      dependsOn,
    });
    const task = {
      name: 'Two desks',
      steps: [
        step('a', ['OpenApp', here], { appName: 'mousepad' }),
        step('b', ['OpenApp', there], { appName: 'mousepad' }),
        step('c', ['TakeScreenshot', there], {}, ['b']),
        step('d', ['RunScript', there], { interpreter: 'sh', script: 'echo made there' }, ['c']),
        step('e', ['WriteFile', here], { path: file, content: { $from: 'd.data.stdoutTail' } }, ['d']),
        step('f', ['TakeScreenshot', here], {}, ['a', 'e']),
      ],
    };
    const { made, asked } = await allowing(submitted(task).then(ended));
    expect(
      made.steps.map(({ id, status, error }) => [id, status, error?.message]),
      JSON.stringify(made.steps),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, 'success', undefined]));
    expect(asked.some((sentence) => /^On studio: /u.test(sentence))).toBe(true);
    expect(readFileSync(file, 'utf8').trim()).toBe('made there');
    const hasMousepad = async (ask: SecondMachine['ask']) =>
      (await ask('xdotool', 'search', '--class', 'mousepad')) !== '';
    expect(await hasMousepad(second.ask)).toBe(true);
  });

  test('a file that is overwritten there is kept there, and the person puts it back', async () => {
    const path = join(second.home, 'note.txt');
    const write = (content: string) => act(there, 'WriteFile', { path, content, overwrite: true });
    const first = await allowing(write('one'));
    expect(first.made, JSON.stringify(first.made)).toMatchObject({ status: 'success' });
    const { made } = await allowing(write('two'));
    expect(made, JSON.stringify(made)).toMatchObject({ status: 'success' });
    expect(readFileSync(path, 'utf8')).toBe('two');
    const undone = await asPerson(`/actions/${made.actionId}/undo`, { method: 'POST' });
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    expect(readFileSync(path, 'utf8')).toBe('one');
  });

  /** The process id of `ssh` of this daemon. */
  const line = () => childOf(daemon.pid, /^ssh /u);

  const send = (signal: NodeJS.Signals, pid = line()) => void (pid !== undefined && process.kill(pid, signal));

  const slow = { interpreter: 'sh', script: 'echo begun; sleep 20' };

  async function begunThere(): Promise<string> {
    const body = { actionType: 'RunScript', targetDeviceId: there, parameters: slow };
    const { body: action } = await daemon.call<Action>('/api/tee/actions', { userId: 'ann', body });
    if (action.status === 'awaiting_confirmation') await person.answer('allow');
    await until('it runs', async () => (await actionNow(action.actionId)).status === 'running');
    return action.actionId;
  }

  const actionNow = async (id: string) => (await daemon.call<Action>(`/api/tee/actions/${id}`, { userId: 'ann' })).body;

  const endOf = async (id: string) => {
    await until('it has ended', async () => (await actionNow(id)).finishedAt !== undefined, 40_000);
    return actionNow(id);
  };

  test('where ssh is killed while a script runs there, it is in doubt, is not begun again, and the machine comes back', async () => {
    const id = await begunThere();
    send('SIGKILL');
    expect(await endOf(id)).toMatchObject({ status: 'unknown' });
    await isOnline();
    await until('the former agent is gone', () => second.agents().length === 1);
  });

  test('a line that stands still keeps nothing else waiting: an action here runs, and the stop is at once', async () => {
    const id = await begunThere();
    const frozen = line();
    send('SIGSTOP', frozen);
    const here1 = await allowing(act(here, 'DescribeScreen', {}));
    expect(here1).toMatchObject({ asked: [], made: { status: 'success' } });
    await asPerson('/pause', { method: 'POST' });
    const refused = await daemon.call('/api/tee/actions', {
      userId: 'ann',
      body: { actionType: 'DescribeScreen', targetDeviceId: there, parameters: {} },
    });
    expect(refused.status).toBe(503);
    expect(await machine()).toMatchObject({ running: 1 });
    await until('the agent there has ended by itself or stopped its work', () => second.agents().length <= 1);
    expect((await endOf(id)).status).not.toBe('success');
    send('SIGKILL', frozen);
    await asPerson('/resume', { method: 'POST' });
    await isOnline();
    expect(await machine()).toMatchObject({ running: 0 });
  }, 90_000);

  test('where the daemon is killed, the agent there ends too, and the next daemon reaches it anew', async () => {
    daemon.kill('SIGKILL');
    await until('no agent is there', () => second.agents().length === 0, 10_000);
    expect(await heldDown(second.ask)).toEqual([]);
    daemon = await startDaemonWith({
      command: START,
      environment: { ...desktop.env, HANDRAIL_SSH_CONFIG: String(second.sshArguments[1]) },
      dataDirectory: daemon.dataDirectory,
    });
    person = await daemon.signIn();
    await isOnline();
  });

  test('where the host key has changed, nothing is sent there, and the page says which command helps', async () => {
    await second.changeHostKey();
    send('SIGKILL');
    await until('it is unreachable', async () => (await machine())?.reason?.includes('key') === true, 30_000);
    expect(await machine()).toMatchObject({ status: 'unreachable', reason: expect.stringMatching(/host key.*ssh/su) });
    const answer = await act(there, 'DescribeScreen', {});
    expect(answer).toMatchObject({ code: 'device_offline' });
  });

  test('a machine that is removed takes its devices along', async () => {
    const removed = await asPerson<MachineList>('/machines/studio', { method: 'DELETE' });
    expect(removed.body.items).toEqual([]);
    expect((await daemon.call(`/api/tee/devices/${there}`, { userId: 'ann' })).status).toBe(404);
    await until('no ssh is left', () => line() === undefined, 10_000);
  });
});
