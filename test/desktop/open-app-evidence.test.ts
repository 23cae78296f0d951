import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { createLinuxApps } from '../../agent/drivers/linux/apps.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import { shareRig } from './share-rig.ts';

const rig = await shareRig();
const environment = { ...process.env, ...rig.env };
const x11 = createX11(environment);
const needs = { x11, entries: createDesktopEntries(environment), environment, uniqueId: () => crypto.randomUUID() };
const { openApp } = createLinuxApps(needs);

afterAll(() => x11.close());

async function pidOfEndedProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('an app whose window names a live process is confirmed, and one whose process has ended is not', async () => {
  const { window } = await rig.open('xterm');
  const open = () => openApp({ appName: 'XTerm' }, { signal: new AbortController().signal, deadlineMs: 30_000 });
  expect(await open()).toMatchObject({ ok: true, effect: 'confirmed', data: { pid: window.pid } });
  const gone = await pidOfEndedProcess();
  await rig.ask('xprop', '-id', window.id, '-f', '_NET_WM_PID', '32c', '-set', '_NET_WM_PID', String(gone));
  await rig.until('the window names the ended process', async () => {
    const [listed] = await rig.windows();
    return listed?.pid === gone;
  });
  expect(await open()).toMatchObject({ ok: true, effect: 'unverified', data: { pid: gone } });
});
