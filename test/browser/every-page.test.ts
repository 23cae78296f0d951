import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/contract/run.ts';
import type { Task } from '../../src/contract/task.ts';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { everyFault, faultsOfColour } from './accessibility.ts';
import { tellMuch } from './much-told.ts';
import { overflow, typeCode, usePages, WINDOW } from './page-rig.ts';

/** Every page of the dashboard, with data in it, in both themes and in a window and a panel: axe finds nothing at all. */
const { openKept } = usePages();
const PANEL = { width: 420, height: 700 };
const NOTES = { path: '~/work/notes.txt', overwrite: true };
const SCRIPT = { interpreter: 'sh', script: 'cat notes.txt\nrm -rf build\n', folder: '~/work' };

let rig: FilesRig;
/** The addresses of one run, one action and one task. */
const subjects: Record<'run' | 'action' | 'task', string> = { run: '', action: '', task: '' };

/** A person is asked unless an access lets it through or its app is not there. */
async function asked(answer: 'allow' | 'deny', actionType: string, parameters: Record<string, unknown>) {
  const { body } = await rig.submit(actionType, parameters);
  if (body.status === 'awaiting_confirmation') await rig.answer(answer);
  if (answer === 'allow') await rig.ended(body);
  return body;
}

/** Of each kind of thing that a page can show there is one. */
beforeAll(async () => {
  rig = await startFilesRig();
  const { targetDeviceId } = rig;
  await rig.allow('~/work');
  await asked('allow', 'RequestAccess', { apps: ['Text Editor'], allow: 'input', minutes: 15 });
  const click = await asked('allow', 'Click', { elementId: 'window-1/1' });
  await asked('allow', 'WriteFile', { ...NOTES, content: 'new' });
  await asked('allow', 'TakeScreenshot', {});
  await asked('allow', 'QuitApp', { appName: 'Missing' });
  await asked('deny', 'TakeScreenshot', {});
  await rig.console('/profiles', { method: 'PUT', body: { name: 'careful', rules: [] } });
  const look = { id: 'look', targetDeviceId, actionType: 'DescribeScreen', parameters: {} };
  const list = { ...look, id: 'list', actionType: 'ListFiles', parameters: { path: '~/work' }, dependsOn: ['look'] };
  const body = { name: 'Look around', steps: [look, list] };
  const { body: task } = await rig.daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body });
  const { body: runs } = await rig.console<{ items: Run[] }>('/runs?limit=10');
  Object.assign(subjects, {
    run: runs.items.at(-1)?.id.replace('act_', 'run_'),
    action: click.actionId,
    task: task.taskId,
  });
});
afterAll(() => rig?.stop());

async function openAt(place: string): Promise<Page> {
  const signIn = async (page: Page) => typeCode(page, await rig.newCode());
  const { page } = await openKept(`${rig.daemon.base}/${place}`, signIn, { viewport: WINDOW, colorScheme: 'light' });
  return page;
}

/** What axe finds wide and narrow, and in its colours in the dark, and what sticks out, by the look in which it stands. */
async function faultsOf(page: Page): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const viewport of [WINDOW, PANEL]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await everyFault(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await faultsOfColour(page);
    if (light.length > 0) found[`light, ${viewport.width}`] = light;
    if (dark.length > 0) found[`dark, ${viewport.width}`] = dark;
    if ((await overflow(page)) > 0) found[`sticks out, ${viewport.width}`] = await overflow(page);
  }
  return found;
}

test.each<[place: string, part: string]>([
  ['#/overview', '.overview-row'],
  ['#/activity', '.today .moment'],
  ['#/activity?text=screenshot', '.moment mark.hit'],
  ['#/activity/:run', '.activity-detail .moment img'],
  ['#/activity?view=actions', '.row-details'],
  ['#/activity/:action?view=actions', '.activity-detail .timeline'],
  ['#/activity?view=tasks', '.activity-list li'],
  ['#/activity/:task?view=tasks', '.activity-detail h2'],
  ['#/metrics', '.metric'],
  ['#/metrics/action_rate', '.content h1'],
  ['#/insights', '.insight-group'],
  ['#/procedures', '.content h1'],
  ['#/access', '.content table'],
  ['#/devices', '.content h2'],
  ['#/settings', '.content h2'],
])('axe finds nothing on %s', async (place, part) => {
  const page = await openAt(place.replace(/:(\w+)/u, (_all, name: keyof typeof subjects) => subjects[name]));
  if (place === '#/insights' || place === '#/overview') await tellMuch(page);
  await page.locator(part).first().waitFor();
  expect(await faultsOf(page)).toEqual({});
});

test('axe finds nothing on the requests while none waits', async () => {
  const page = await openAt('');
  await page.getByText('No requests waiting').waitFor();
  expect(await faultsOf(page)).toEqual({});
});

test.each<[what: string, ask: () => Promise<unknown>]>([
  ['a request with a difference', () => rig.submit('WriteFile', { ...NOTES, content: 'newer' })],
  ['a plan', () => rig.daemon.call('/api/tee/tasks', { userId: 'ann', body: planOf() })],
])('axe finds nothing on %s, folded, unfolded and denied', async (_what, ask) => {
  const page = await openAt('');
  await ask();
  await page.getByRole('alertdialog').waitFor();
  expect(await faultsOf(page)).toEqual({});
  await page.keyboard.press('m');
  await page.locator('.prompt [aria-expanded="true"]').first().waitFor();
  expect(await faultsOf(page)).toEqual({});
  await page.keyboard.press('Escape');
  await page.locator('.outcome').waitFor();
  expect(await faultsOf(page)).toEqual({});
  await rig.console('/users/ann/deny-all', { method: 'POST' });
});

function planOf() {
  const { targetDeviceId } = rig;
  const trash = { id: 'trash', targetDeviceId, actionType: 'TrashFile', parameters: { path: '~/work/notes.txt' } };
  return { name: 'Tidy', steps: [trash, { ...trash, id: 'run', actionType: 'RunScript', parameters: SCRIPT }] };
}

test('axe finds nothing where a person signs in', async () => {
  const page = await openAt('');
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByLabel('One-use code').waitFor();
  expect(await faultsOf(page)).toEqual({});
});
