import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from './daemon.ts';
import { startHandsRig } from './hands-rig.ts';

/** Devices move without a pause. On a desktop that a person sits at, input waits until they rest. */
function moveDevices(env: Record<string, string | undefined>): () => void {
  const stop = new AbortController();
  const move = async () => {
    const program = join(import.meta.dirname, '../desktop/person-device.ts');
    while (!stop.signal.aborted)
      await promisify(execFile)(process.execPath, [program], { env: { ...process.env, ...env } });
  };
  const moving = move();
  return () => {
    stop.abort();
    return moving;
  };
}

/** The environment of a process, as the system has it. */
function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

test('on a private virtual desktop no input waits for a person, as none sits there', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_RATE_LIMITS: 'off' });
  onTestFinished(daemon.stop);
  await daemon.agentOnline();
  const { DISPLAY, XAUTHORITY, HANDRAIL_DESKTOP } = environmentOf(await daemon.agentPid());
  expect(HANDRAIL_DESKTOP).toBe('private');
  onTestFinished(moveDevices({ DISPLAY, XAUTHORITY }));
  const { id: targetDeviceId } = await daemon.register();
  await daemon.submit({ targetDeviceId, actionType: 'OpenApp', parameters: { appName: 'mousepad' } });
  const { data } = (await daemon.submit({ targetDeviceId, actionType: 'ListWindows', parameters: {} })).body;
  const [window] = (data as { windows: { bounds: { x: number; y: number } }[] }).windows;
  const parameters = { x: (window?.bounds.x ?? 0) + 50, y: (window?.bounds.y ?? 0) + 50 };
  const { body } = await daemon.submit({ targetDeviceId, actionType: 'MovePointer', parameters });
  expect(body).toMatchObject({ status: 'success', effect: 'confirmed' });
});

test("on the person's own desktop input waits while the person's hand moves, whatever the daemon's environment says", async () => {
  const hands = await startHandsRig({ HANDRAIL_DESKTOP: 'private' });
  onTestFinished(hands.stop);
  await hands.rig.open('zenity', ['--info', '--text=Here', '--width=1900', '--height=1000']);
  onTestFinished(moveDevices(hands.rig.env));
  const action = await hands.submit('MovePointer', { x: 960, y: 540 });
  expect(action.status).toBe('running');
});
