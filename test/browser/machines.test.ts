import { expect, test } from 'vitest';
import type { MachineView } from '../../src/contract/machine-view.ts';
import { refused } from '../http/refused.ts';
import { seriousFaults } from './accessibility.ts';
import { PANEL, usePages, WINDOW } from './page-rig.ts';

const { openOwnDashboard } = usePages();

const AT = '2026-11-29T10:00:00.000Z';
const REASON = 'its host key is not known yet; run `ssh box` once by hand, and compare the key';

const STUDIO: MachineView = {
  name: 'studio',
  address: 'ann@studio.local',
  status: 'online',
  roundTripMs: 4.2,
  running: 0,
  addedAt: AT,
  platform: 'macos',
  hostname: 'studio.local',
  version: '0.1.0',
};
const BOX: MachineView = {
  name: 'box',
  address: 'box',
  display: ':1',
  status: 'unreachable',
  reason: REASON,
  running: 0,
  addedAt: AT,
};

async function openDevices(look: Parameters<typeof openOwnDashboard>[0], items: MachineView[]) {
  const rig = await openOwnDashboard(look);
  const { daemon, page } = rig;
  let machines = items;
  daemon.machines = {
    list: () => ({ items: machines }),
    add(machine) {
      daemon.answers.push(`add ${JSON.stringify(machine)}`);
      if (machines.some(({ name }) => name === machine.name))
        return refused('validation_failed', `There is a machine "${machine.name}" already.`);
      machines = [...machines, { ...machine, status: 'starting', running: 0, addedAt: AT }];
      return { items: machines };
    },
    async tryNow(name) {
      machines = machines.map((each) => (each.name === name ? { ...STUDIO, name, address: each.address } : each));
      return machines.find((each) => each.name === name) ?? refused('not_found', 'There is no such machine.');
    },
    remove(name) {
      daemon.answers.push(`remove ${name}`);
      machines = machines.filter((each) => each.name !== name);
      return { items: machines };
    },
  };
  await page.goto(`${rig.url}/#/devices`);
  const section = page.getByRole('region', { name: 'Machines' });
  await section.waitFor();
  return { ...rig, section };
}

test.each([
  ['light', WINDOW],
  ['dark', PANEL],
] as const)('the machines are listed with how they are reached and what helps: %s', async (colorScheme, viewport) => {
  const { page, section } = await openDevices({ colorScheme, viewport }, [STUDIO, BOX]);
  await section.getByText('macOS on studio.local · Handrail 0.1.0 · 4.2 ms there and back').waitFor();
  await section.getByText('Its host key is not known yet; run “ssh box” once by hand').waitFor();
  await section.getByText('More: its display').click();
  expect(await seriousFaults(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('a machine is added, tried and removed; what is wrong is said at once', async () => {
  const { daemon, section } = await openDevices({ viewport: WINDOW }, []);
  const form = section.getByRole('form', { name: 'Add a machine' });
  const press = () => form.getByRole('button', { name: 'Add a machine' }).click();
  await form.getByLabel('Name').fill('Box');
  await form.getByLabel('Address').fill('-oProxyCommand=x');
  await press();
  await form.getByText('Name: lower-case letters, digits and “-”, a letter first, such as “studio2”').waitFor();
  await form.getByLabel('Name').fill('box');
  await press();
  await form.getByText('Address: “host” or “user@host”').waitFor();
  expect(daemon.answers).toEqual([]);
  await form.getByLabel('Address').fill('ann@box');
  await form.getByText('More: its display').click();
  await form.getByLabel('Display').fill(':1');
  await press();
  await section.getByRole('heading', { name: 'box' }).waitFor();
  expect(daemon.answers).toEqual(['add {"name":"box","address":"ann@box","display":":1"}']);
  await section.getByRole('button', { name: 'Test box' }).click();
  await section.getByText('Online').waitFor();
  await section.getByRole('button', { name: 'Remove box…' }).click();
  await section.getByText('Its devices and their grants go with it.').waitFor();
  await section.getByRole('button', { name: 'Remove box', exact: true }).click();
  await section.getByRole('heading', { name: 'box' }).waitFor({ state: 'detached' });
  expect(daemon.answers.at(-1)).toBe('remove box');
});

test('what the daemon refuses is said beside the fields', async () => {
  const { section } = await openDevices({ viewport: WINDOW }, [STUDIO]);
  const form = section.getByRole('form', { name: 'Add a machine' });
  await form.getByLabel('Name').fill('studio');
  await form.getByLabel('Address').fill('studio');
  await form.getByRole('button', { name: 'Add a machine' }).click();
  await form.getByRole('alert').getByText('There is a machine "studio" already.').waitFor();
});

test('while everything is stopped, the page says which machines have confirmed it', async () => {
  const { daemon, section } = await openDevices({ viewport: WINDOW }, [
    STUDIO,
    { ...STUDIO, name: 'attic', running: 2 },
    BOX,
  ]);
  daemon.set({ paused: true });
  await section.getByText('Stopped and confirmed: studio.').waitFor();
  await section.getByText('Not confirmed yet: attic.').waitFor();
  await section.getByText('Cannot be asked: box.').waitFor();
});
