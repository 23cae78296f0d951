import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { openXLine } from '../../agent/drivers/linux/x-session.ts';
import { createX11, type X11 } from '../../agent/drivers/linux/x11.ts';
import { unhurried } from '../agent/unhurried.ts';
import { until } from './processes.ts';

/** A bare X server, without a window manager or a bus. */
type Server = { display: string; child: ChildProcess; end(): Promise<void> };

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.end()));
});

/** `displayNumber` is given to start a server in the place of one that is gone. */
async function startServer(displayNumber?: string): Promise<Server> {
  const place = displayNumber === undefined ? [] : [`:${displayNumber}`];
  // Without `-noreset` the server ends every program that connects while its only other client leaves.
  const args = [...place, '-noreset', '-displayfd', '3', '-screen', '0', '640x480x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const numbers = child.stdio[3];
  if (!numbers || !('setEncoding' in numbers)) throw new Error('expected a pipe for the display number');
  const [number] = await once(numbers.setEncoding('utf8'), 'data');
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const server = { display: `:${String(number).trim()}`, child, end };
  servers.push(server);
  return server;
}

function openTerminal({ display }: Server, title: string): ChildProcess {
  const child = spawn('xterm', ['-T', title], { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Seen by xwininfo, so that nothing of ours has asked this server anything. */
async function untilListed({ display }: Server, title: string): Promise<void> {
  await until(`${title} is listed`, async () => {
    const { stdout } = await promisify(execFile)('xwininfo', ['-display', display, '-root', '-tree']);
    return stdout.includes(`"${title}"`);
  });
}

async function untilShown({ display }: Server, title: string): Promise<void> {
  const x11 = createX11({ DISPLAY: display });
  await until(`${title} is shown`, async () => (await titlesOn(x11)).includes(title));
  await x11.close();
}

async function titlesOn(x11: X11): Promise<string[] | string> {
  const desktop = await x11.desktop();
  return desktop.ok ? desktop.value.windows.map(({ title }) => title) : desktop.reason.kind;
}

test('without a window manager windows are those that are shown, and the description says what is missing', async () => {
  const server = await startServer();
  const terminal = openTerminal(server, 'bare');
  const environment = { ...process.env, DISPLAY: server.display, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const driver = createLinuxDriver(environment);
  const attempt = { signal: new AbortController().signal, deadlineMs: 20_000 };
  const described = await until('the terminal is seen', async () => {
    const outcome = await driver.describeScreen({}, attempt);
    return outcome.ok && outcome.data.windows.length > 0 && outcome.data;
  });
  expect(described).toMatchObject({
    frontmostApp: null,
    windows: [{ app: 'XTerm', pid: terminal.pid, title: 'bare', focused: false, onScreen: true }],
    complete: false,
  });
  expect(described.degradedReasons.map(({ code }) => code)).toContain('no_window_manager');
  await driver.close();
});

test('without a window manager an app is asked to close all the same', async () => {
  const server = await startServer();
  const terminal = openTerminal(server, 'bare');
  const driver = createLinuxDriver({ ...process.env, DISPLAY: server.display });
  await untilShown(server, 'bare');
  expect(await driver.quitApp({ appName: 'XTerm' }, unhurried())).toMatchObject({
    effect: 'confirmed',
    data: { pid: terminal.pid, windowsClosed: 1, stillRunning: false },
  });
  await driver.close();
});

test('a server that goes away after an app was asked to close leaves open whether it did', async () => {
  // Nothing shows that the app was asked. A server that went away before that says so, and the next one stays longer.
  let waitMs = 1_000;
  let outcome = await lostWhileClosing(waitMs);
  while (!outcome.ok && outcome.sideEffect === 'none') {
    waitMs *= 2;
    outcome = await lostWhileClosing(waitMs);
  }
  expect(outcome).toMatchObject({ code: 'display_unavailable', sideEffect: 'unknown' });
});

async function lostWhileClosing(waitMs: number) {
  const server = await startServer();
  const terminal = openTerminal(server, 'deaf');
  const driver = createLinuxDriver({ ...process.env, DISPLAY: server.display });
  await untilShown(server, 'deaf');
  terminal.kill('SIGSTOP');
  const quitting = driver.quitApp({ appName: 'XTerm' }, unhurried());
  expect(await Promise.race([quitting, pause(waitMs, 'it waits')])).toBe('it waits');
  await server.end();
  const outcome = await quitting;
  await driver.close();
  return outcome;
}

test('a server that goes away is an answer, and one that comes back in its place is asked again', async () => {
  const first = await startServer();
  const x11 = createX11({ DISPLAY: first.display });
  expect(await titlesOn(x11)).toEqual([]);
  await first.end();
  expect(await titlesOn(x11)).toBe('unreachable');
  const second = await startServer(first.display.slice(1));
  openTerminal(second, 'after');
  await until('the new terminal is seen', async () => (await titlesOn(x11)).includes('after'));
  await x11.close();
});

test('each server is asked in its own numbers: what one taught does not mislead about the next', async () => {
  const learned = createX11({ DISPLAY: (await startServer()).display });
  await learned.desktop();
  const server = await startServer();
  // Other programs came first, so that names have other numbers here.
  openTerminal(server, 'first');
  await untilListed(server, 'first');
  const terminal = openTerminal(server, 'second');
  const x11 = createX11({ DISPLAY: server.display });
  const window = await until('the terminal is seen', async () => {
    const desktop = await x11.desktop();
    return desktop.ok && desktop.value.windows.find(({ title, pid }) => title === 'second' && pid !== null);
  });
  expect(window).toMatchObject({ pid: terminal.pid, className: 'XTerm' });
  await Promise.all([learned.close(), x11.close()]);
});

test('a server that hangs does not keep a stopped attempt, and is given up after a while', async () => {
  const server = await startServer();
  const driver = createLinuxDriver({ ...process.env, DISPLAY: server.display });
  await driver.environment();
  server.child.kill('SIGSTOP');
  const controller = new AbortController();
  const attempt = { signal: controller.signal, deadlineMs: 20_000 };
  const attempts = Promise.all([driver.describeScreen({}, attempt), driver.openApp({ appName: 'XTerm' }, attempt)]);
  const unstopped = { signal: new AbortController().signal, deadlineMs: 20_000 };
  const ends: string[] = [];
  const givenUp = driver.openApp({ appName: 'XTerm' }, unstopped).finally(() => ends.push('given up'));
  void attempts.finally(() => ends.push('stopped'));
  controller.abort('requested');
  expect(await attempts).toMatchObject([
    { ok: false, sideEffect: 'none' },
    { ok: false, sideEffect: 'none' },
  ]);
  expect(await givenUp).toMatchObject({ code: 'display_unavailable' });
  expect(ends).toEqual(['stopped', 'given up']);
  await driver.close();
});

test('time in which this process itself does nothing counts for no time-out of the server', async () => {
  const { display } = await startServer();
  const opening = openXLine(display);
  const endMs = performance.now() + 2_500;
  while (performance.now() < endMs);
  const line = await opening;
  expect(line.isLost()).toBe(false);
  line.close();
});

test('a server that is stopped is given up, and the answer names it', async () => {
  const { display, child } = await startServer();
  child.kill('SIGSTOP');
  await expect(openXLine(display)).rejects.toThrow(`The display ${display} did not answer.`);
});
