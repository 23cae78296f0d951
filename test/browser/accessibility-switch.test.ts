import { expect, test } from 'vitest';
import type { Device } from '../../src/contract/device.ts';
import { seriousFaults } from './accessibility.ts';
import { usePages, WINDOW } from './page-rig.ts';

const { openOwnDashboard } = usePages();

function linuxDevice(accessibility: 'switched_off' | 'not_required'): Device {
  const id = 'dev_01JZ6M6E7K3V4S8T9W0X1Y2Z3A';
  const at = new Date().toISOString();
  const permissions = { screenRecording: 'not_required', accessibility, automation: 'not_required' } as const;
  return {
    id,
    deviceId: id,
    type: 'linux',
    name: 'Desk',
    capabilities: {},
    ownerId: 'ann',
    status: 'online',
    machine: 'local',
    platform: 'linux',
    agent: { id: 'agent', platform: 'linux', hostname: 'desk', version: '0.1.0', displays: [], permissions },
    warnings: [],
    createdAt: at,
    lastSeenAt: at,
  };
}

test('the person reads that accessibility is off, and switches it on from the banner or the page Devices', async () => {
  const { page, daemon, url } = await openOwnDashboard({ viewport: WINDOW });
  let device = linuxDevice('switched_off');
  daemon.devices = { ...daemon.devices, all: () => [device] };
  daemon.switchAccessibilityOn = async () => {
    device = linuxDevice('not_required');
    daemon.answers.push('accessibility on');
    return daemon.set({ hasUntoldApps: false });
  };
  daemon.set({ hasUntoldApps: true });
  await page.getByText('A program looked at apps that do not describe their windows').waitFor();
  await page.goto(`${url}/#/devices`);
  await page.getByText('off: apps built on Chromium, Electron and Qt do not describe their windows').waitFor();
  await page.getByText('close and start again a browser or app that is open').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  const section = page.getByRole('region', { name: 'Agent of this computer' });
  await section.getByText('gsettings set org.gnome.desktop.interface toolkit-accessibility true').waitFor();
  await section.getByRole('button', { name: 'Switch accessibility on' }).click();
  await page.getByText('Accessibility is on. Start apps that are open again.').waitFor();
  await section.getByText('gsettings set').waitFor({ state: 'detached' });
  await page.getByText('A program looked at apps').waitFor({ state: 'detached' });
  expect(daemon.answers).toEqual(['accessibility on']);
});
