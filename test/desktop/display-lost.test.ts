import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createLinuxScreenshot } from '../../agent/drivers/linux/screenshot.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../../src/agent-host/virtual-desktop/virtual-desktop.ts';

const attempt = { signal: new AbortController().signal, deadlineMs: 20_000 };
const captured = { details: 'Captured the display screen: 1920 × 1080 pixels, png.' };
const unavailable = { ok: false, code: 'display_unavailable', sideEffect: 'none', fix: expect.any(String) };

async function desktop(): Promise<VirtualDesktop> {
  const answer = await startVirtualDesktop({ environment: process.env, windowManager: 'none' });
  if (answer.state !== 'running') throw new Error(answer.message);
  onTestFinished(() => answer.close());
  return answer;
}

function witness(): ChildProcess {
  const child = fork(fileURLToPath(new URL('screenshot-witness.ts', import.meta.url)));
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function screenshotOn(child: ChildProcess, env: Record<string, string>): Promise<unknown> {
  child.send(env);
  const [outcome] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => [`the process ended: ${code ?? signal}`]),
  ]);
  return outcome;
}

test('a process outlives the X server it has captured, and captures the next one', async () => {
  const child = witness();
  const first = await desktop();
  expect(await screenshotOn(child, first.env)).toEqual(captured);
  await first.close();
  expect(await screenshotOn(child, first.env)).toMatchObject(unavailable);
  const second = await desktop();
  expect(await screenshotOn(child, second.env)).toEqual(captured);
});

test('a process outlives an X server that does not let it in', async () => {
  const child = witness();
  const { env } = await desktop();
  expect(await screenshotOn(child, { ...env, XAUTHORITY: '/dev/null' })).toMatchObject(unavailable);
  expect(await screenshotOn(child, { ...env, DISPLAY: ':999' })).toMatchObject(unavailable);
  expect(await screenshotOn(child, env)).toEqual(captured);
});

test('without a display, and on Wayland alone, a screenshot fails with what can be done about it', async () => {
  const outcomes = await Promise.all(
    [{}, { WAYLAND_DISPLAY: 'wayland-0' }].map((environment) =>
      createLinuxScreenshot({ x11: createX11(environment) })({}, attempt),
    ),
  );
  expect(outcomes).toMatchObject([unavailable, { ...unavailable, code: 'not_supported' }]);
});
