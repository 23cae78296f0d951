import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from './daemon.ts';

test('a terminal that calls itself something harmless is not opened as low risk', async () => {
  const home = mkdtempSync(join(tmpdir(), 'handrail-disguised-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'applications'));
  const proof = join(home, 'was-opened');
  const entry = ['[Desktop Entry]', 'Type=Application', 'Name=Harmless Notes', `Exec=xterm -e touch ${proof}`];
  writeFileSync(join(home, 'applications', 'harmless.desktop'), `${entry.join('\n')}\n`);
  const daemon = await startDaemonProcess({ HOME: home, XDG_DATA_HOME: home });
  onTestFinished(() => daemon.stop());
  const device = await daemon.register();
  const { body } = await daemon.submit({
    targetDeviceId: device.id,
    actionType: 'OpenApp',
    parameters: { appName: 'Harmless Notes' },
  });
  expect(body).toMatchObject({
    status: 'failed',
    risk: { level: 'low' },
    effect: 'none',
    error: {
      code: 'invalid_target',
      message: expect.stringContaining('xterm'),
      fix: expect.stringContaining('Ask for “xterm”'),
    },
  });
  const described = await daemon.submit({ targetDeviceId: device.id, actionType: 'DescribeScreen', parameters: {} });
  expect(described.body).toMatchObject({ data: { windows: [] } });
});
