import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Procedure, ProcedureSubmission } from '../../src/contract/procedure.ts';
import type { Task } from '../../src/contract/task.ts';
import { faultsOfColour, seriousFaults } from './accessibility.ts';
import { overflow, PANEL, WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, current } = useRealDaemon();

const DOCUMENT = { app: 'Text Editor', role: 'textbox', name: 'Document' };

/** Opens an app, types a week, and presses a button that is not there. */
const WEEKLY: ProcedureSubmission = {
  name: 'Weekly report',
  description: 'Fills in the week. </p><b>safe</b>',
  parameters: {
    week: { type: 'text', maxLength: 8, pattern: '\\d{4}-W\\d{2}' },
    size: { type: 'number', minimum: 1, maximum: 9, isWhole: true },
    folder: { type: 'path', under: '~/Reports' },
    app: { type: 'choice', values: ['Calculator', 'Notes'] },
  },
  steps: [
    { id: 'open', actionType: 'OpenApp', parameters: { appName: { $parameter: 'app' } }, expect: { window: 'Notes' } },
    { id: 'type', actionType: 'SetValue', target: DOCUMENT, parameters: { value: { $parameter: 'week' } } },
    { id: 'wait', actionType: 'Wait', parameters: { durationMs: { $parameter: 'size' } } },
    { id: 'list', actionType: 'ListFiles', parameters: { path: { $parameter: 'folder' } } },
    {
      id: 'send',
      actionType: 'Click',
      target: { ...DOCUMENT, role: 'button', name: 'Send order' },
      parameters: {},
    },
  ],
  may: { critical: [], minutes: 5 },
};

/** A procedure without a step of risk, which the fake desktop can do. */
const PLAIN: ProcedureSubmission = {
  name: 'Pause',
  parameters: { length: { type: 'number', minimum: 1, maximum: 9, isWhole: true } },
  steps: [{ id: 'wait', actionType: 'Wait', parameters: { durationMs: { $parameter: 'length' } } }],
  may: { critical: [], minutes: 5 },
};

/** The page Procedures, with these of a requester of the test. */
async function openProcedures(...kept: ProcedureSubmission[]) {
  const { daemon, page, userId } = await openAt();
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  const keep = (body: ProcedureSubmission) =>
    daemon.call<Procedure>('/api/tee/procedures', { method: 'PUT', userId, body });
  for (const each of kept) expect((await keep(each)).status).toBe(200);
  await page.getByRole('link', { name: 'Procedures', exact: true }).click();
  const group = page.getByRole('region', { name: userId, exact: true });
  const card = (name: string) => group.getByRole('listitem', { name, exact: true });
  const open = async (name: string) => {
    await card(name).locator('summary').first().click();
    await card(name)
      .getByText(/^A run takes at most/)
      .waitFor();
    return card(name);
  };
  const intents = async () =>
    (await daemon.call<{ items: { procedure: string; runsLeft: number }[] }>('/api/tee/intents', { userId })).body
      .items;
  return { daemon, page, userId, targetDeviceId, keep, group, card, open, intents, notice: page.locator('.notice') };
}

async function holdApprove(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Hold to approve' });
  const isHeld = page.getByRole('button', { name: 'Let go to allow' });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await page.mouse.down();
  await isHeld.waitFor();
  await page.mouse.up();
}

test('a procedure is read in words: its steps in their order, what asks, its bounds, and its claim as a claim', async () => {
  const { page, open } = await openProcedures(WEEKLY);
  const card = await open('Weekly report');
  expect(await card.textContent()).toContain('No runs yet');
  expect(await card.textContent()).toContain('“Fills in the week. </p><b>safe</b>”');
  const steps = card.getByRole('list', { name: 'Steps of Weekly report' }).locator('> li');
  expect(await steps.count()).toBe(5);
  expect(await steps.nth(1).textContent()).toMatch(/^2\. Set the textbox “Document” of “Text Editor” to “⟨week⟩”/);
  expect(await steps.nth(0).textContent()).toMatch(/^1\. Open the app “⟨app⟩”/);
  expect(await steps.nth(2).textContent()).toContain('Wait for 1 ms or more: Size');
  expect(await steps.nth(4).textContent()).toMatch(/^5\. .*Send order.*high risk · asks in each run$/);
  const bounds = card.getByRole('list', { name: 'Values of Weekly report' }).locator('li');
  expect(await bounds.allTextContents()).toEqual([
    'Week: a text that matches \\d{4}-W\\d{2}',
    'Size: a whole number from 1 to 9',
    'Folder: a path in ~/Reports',
    'App: one of “Calculator”, “Notes”',
  ]);
  expect(await seriousFaults(page)).toEqual([]);
});

test('an approval says what still asks, is held, and is for the version whose steps it names; it can be revoked', async () => {
  const { page, open, card, intents, notice } = await openProcedures(WEEKLY);
  await open('Weekly report');
  await card('Weekly report').getByRole('button', { name: 'Approve…' }).click();
  const form = page.getByRole('form', { name: 'Approve Weekly report' });
  await form.getByText('In each run steps 4 and 5 still ask you.').waitFor();
  await card('Weekly report').getByRole('checkbox', { name: 'Step 4: without a question' }).check();
  await form.getByText('In each run step 5 still asks you.').waitFor();
  await card('Weekly report').getByRole('checkbox', { name: 'Step 5: without a question' }).check();
  await form.getByText('none of them asks you').waitFor();
  await form.getByLabel('For').selectOption('30 days');
  await form.getByLabel('At most').selectOption('50 runs');
  await page.getByRole('button', { name: 'Hold to approve' }).click();
  expect(await intents()).toEqual([]);
  await holdApprove(page);
  await notice.getByText('“Weekly report” is approved.').waitFor();
  await card('Weekly report')
    .getByText(/50 runs until \d+ \w+/)
    .waitFor();
  expect(await intents()).toMatchObject([{ procedure: 'Weekly report', runsLeft: 50 }]);
  await card('Weekly report').getByText('version 2').waitFor();
  await card('Weekly report').getByText('an approval covers it').last().waitFor();
  await card('Weekly report').getByRole('button', { name: 'Revoke' }).click();
  await notice.getByText('The approval of “Weekly report” is revoked.').waitFor();
  expect(await intents()).toEqual([]);
});

test('what is changed while it is read closes the form that would approve it, and the new version is shown', async () => {
  const { page, open, keep, intents, card } = await openProcedures(WEEKLY);
  await (await open('Weekly report')).getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('form', { name: 'Approve Weekly report' }).waitFor();
  await keep({ ...WEEKLY, may: { critical: [], minutes: 6 } });
  await card('Weekly report').getByText('A run takes at most 6 min.').waitFor();
  expect(await page.getByRole('form', { name: 'Approve Weekly report' }).count()).toBe(0);
  expect(await intents()).toEqual([]);
});

test('a try tells the line of each step and the name that was not found, and does nothing', async () => {
  const { page, open, daemon, userId } = await openProcedures(WEEKLY);
  await (await open('Weekly report')).getByRole('button', { name: 'Try or run…' }).click();
  const form = page.getByRole('form', { name: 'Run Weekly report' });
  await form.getByLabel('Week').fill('next');
  await form.getByLabel('Size').fill('4');
  await form.getByLabel('Folder').fill('/etc');
  await form.getByLabel('App').selectOption('Notes');
  await form.getByRole('button', { name: 'Try' }).click();
  await form.getByRole('alert').getByText('must match').waitFor();
  await form.getByRole('alert').getByText('must be a path in ~/Reports').waitFor();
  await form.getByLabel('Week').fill('2026-W48');
  await form.getByLabel('Folder').fill('~/Reports/new');
  await form.getByRole('button', { name: 'Try' }).click();
  const lines = form.getByRole('list', { name: 'What a run would do' }).locator('> li');
  await expect.poll(() => lines.count()).toBe(5);
  expect(await lines.nth(1).textContent()).not.toContain('Not found');
  expect(await lines.nth(4).textContent()).toMatch(/Not found: .*“?Send order/);
  const tasks = await daemon.call<{ items: unknown[] }>('/api/tee/tasks', { userId });
  expect(tasks.body.items).toEqual([]);
  expect(await seriousFaults(page)).toEqual([]);
});

test('a procedure without a risk is approved and run by keyboard alone, and its run is told', async () => {
  const { page, open, card, notice } = await openProcedures(PLAIN);
  await (await open('Pause')).getByRole('button', { name: 'Approve…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Approve Pause' }).getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await notice.getByText('“Pause” is approved.').waitFor();
  await card('Pause').getByRole('button', { name: 'Try or run…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Length').fill('3');
  await page.getByRole('button', { name: 'Run', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/activity\/tsk_[0-9A-Z]{26}\?view=tasks/);
  await page.getByText('Its one step is done').waitFor();
  await page.getByRole('link', { name: 'Procedures', exact: true }).click();
  await card('Pause').getByText('1 of 1 run without a miss').waitFor();
  await card('Pause').getByText('9 runs until').waitFor();
});

test('a run becomes a procedure with the values that differ, and its faults stand at their steps', async () => {
  const { daemon, page, userId, targetDeviceId, group, card } = await openProcedures();
  const act = (actionType: string, parameters: Record<string, unknown>) =>
    daemon.submit({ targetDeviceId, actionType, parameters }, { userId, headers: { prefer: 'wait=20' } });
  await act('OpenApp', { appName: 'Notes' });
  await daemon.submit({ targetDeviceId, actionType: 'Click', parameters: { x: 100, y: 100 } }, { userId });
  await current().person.answer('allow');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.locator('.today', { hasText: userId }).locator('.today-run').filter({ hasText: '2 done' }).click();
  await page.getByRole('link', { name: 'Make a procedure…' }).click();
  const form = page.getByRole('form', { name: 'New procedure' });
  await form.getByLabel('Name', { exact: true }).fill('Open one');
  await form.getByRole('switch', { name: 'Step 1, appName: differs in each run' }).check();
  await form.getByLabel('May be').selectOption('a text that matches');
  await form.getByLabel('Bound of appName').fill('(');
  const steps = form.getByRole('list', { name: 'Steps' }).locator('> li');
  await steps.nth(1).getByText('The control had no name.').waitFor();
  await form.getByRole('button', { name: 'Leave out step 2' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await steps.nth(0).getByText('Pattern is no regular expression of RE2.', { exact: true }).waitFor();
  await form.getByLabel('May be').selectOption('one of a list');
  await form.getByLabel('Bound of appName').fill('Notes\nCalculator');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await group.waitFor();
  await card('Open one').waitFor();
  const kept = await daemon.call<{ items: Procedure[] }>('/api/tee/procedures', { userId });
  expect(kept.body.items).toMatchObject([
    {
      name: 'Open one',
      parameters: { appName: { type: 'choice', values: ['Notes', 'Calculator'] } },
      steps: [{ actionType: 'OpenApp', parameters: { appName: { $parameter: 'appName' } } }],
    },
  ]);
});

test('a procedure is exported, removed and imported again, and then it is not approved', async () => {
  const { page, open, card, userId, notice, daemon } = await openProcedures(PLAIN);
  await (await open('Pause')).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card('Pause').getByRole('button', { name: 'Export' }).click(),
  ]);
  const path = await file.path();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(PLAIN);
  await card('Pause').getByRole('button', { name: 'Remove' }).click();
  await notice.getByText('The procedure “Pause” is removed.').waitFor();
  await card('Pause').waitFor({ state: 'detached' });
  const form = page.getByRole('region', { name: 'Import' });
  await form.getByLabel('For').selectOption(userId);
  const broken = { name: 'p.json', mimeType: 'application/json', buffer: Buffer.from('[1') };
  await form.getByLabel('File').setInputFiles(broken);
  await form.getByRole('alert').getByText('This file is no procedure').waitFor();
  await form.getByLabel('File').setInputFiles(path);
  await notice.getByText('It is not approved.').waitFor();
  await card('Pause').getByText('not approved: each run asks you').waitFor();
  expect((await daemon.call<{ items: unknown[] }>('/api/tee/intents', { userId })).body.items).toEqual([]);
});

test('a run that found no control shows its picture, and is mended by choosing a control in a fresh one or from the list, and then asks again', async () => {
  const gone = { ...DOCUMENT, name: 'Papers' };
  const steps = [{ id: 'set', actionType: 'SetValue', target: gone, parameters: { value: 'Dear Ben' } }];
  const { page, daemon, userId, targetDeviceId, card, notice } = await openProcedures({
    ...PLAIN,
    parameters: {},
    steps,
  });
  // Of a run that nobody allowed no picture is taken.
  const [first] = (await daemon.call<{ items: Procedure[] }>('/api/tee/procedures', { userId })).body.items;
  const approval = { userId, digest: first?.digest, targetDeviceId, days: 1, runs: 1 };
  expect((await current().person.call('/procedures/Pause/approve', { body: approval })).status).toBe(200);
  const body = { procedure: 'Pause', parameters: {}, targetDeviceId };
  const started = await daemon.call<Task>('/api/tee/intents', { method: 'POST', userId, body });
  await page.evaluate(`location.hash = '#/activity/${started.body.taskId}?view=tasks'`);
  await page.getByRole('heading', { name: 'Procedure “Pause”', exact: true }).waitFor();
  const mend = page.getByRole('region', { name: 'Mend the procedure' });
  await mend.getByText('textbox "Papers" of Text Editor').first().waitFor();
  await mend.getByRole('img', { name: 'The screen when the step missed' }).waitFor();
  await mend.getByRole('button', { name: 'Mend…' }).click();
  await mend.getByRole('img', { name: 'The app as it is now' }).waitFor();
  for (const size of [WINDOW, PANEL]) {
    await page.setViewportSize(size);
    expect(await overflow(page)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  }
  const list = mend.getByLabel('The control that is meant');
  const frame = mend.getByRole('button', { name: 'textbox "Document" of Text Editor', exact: true });
  await list.selectOption('textbox "Document" of Text Editor');
  expect(await frame.getAttribute('aria-pressed')).toBe('true');
  await list.selectOption('choose…');
  await frame.focus();
  await page.keyboard.press('Enter');
  expect(await list.locator('option:checked').textContent()).toBe('textbox "Document" of Text Editor');
  await list.selectOption('choose…');
  // All controls of the fake desktop are at one place; this one is on top.
  await mend.getByRole('button', { name: 'menuitem "Help" of Text Editor', exact: true }).click();
  expect(await list.locator('option:checked').textContent()).toBe('menuitem "Help" of Text Editor');
  await list.selectOption('textbox "Document" of Text Editor');
  await mend.getByRole('button', { name: 'Save as the next version' }).click();
  await notice.getByText('It asks in each run until you approve it again.').waitFor();
  await card('Pause').getByText('version 2 · not approved').waitFor();
  const kept = await daemon.call<{ items: Procedure[] }>('/api/tee/procedures', { userId });
  expect(kept.body.items).toMatchObject([{ steps: [{ ...steps[0], target: DOCUMENT }] }]);
});

/** A task of one step, as a run of its own, which the person allows where it asks. */
async function doneOnce(
  userId: string,
  asks: boolean,
  step: { actionType: string; parameters: object },
): Promise<string> {
  const { daemon, person } = current();
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  const body = { name: 'Once', steps: [{ id: 'one', targetDeviceId, ...step }] };
  const { taskId } = (await daemon.call<Task>('/api/tee/tasks', { method: 'POST', userId, body })).body;
  if (asks) await person.answer('allow');
  const now = async () => (await daemon.call<Task>(`/api/tee/tasks/${taskId}`, { userId })).body;
  await expect.poll(async () => (await now()).status).toBe('success');
  return String((await now()).steps[0]?.actionId).replace('act_', 'run_');
}

test('two runs are compared: what differs between them is a value that differs in each run', async () => {
  const { page, daemon, userId, card } = await openProcedures();
  const open = (appName: string) => doneOnce(userId, false, { actionType: 'OpenApp', parameters: { appName } });
  await open('Calculator');
  const second = await open('Notes');
  await page.evaluate(`location.hash = '#/procedures/${second}'`);
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  const differs = page.getByRole('switch', { name: 'Step 1, appName: differs in each run' });
  await expect.poll(() => differs.isChecked()).toBe(true);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).fill('Open any');
  await page.getByRole('button', { name: 'Save' }).click();
  await card('Open any').waitFor();
  const kept = await daemon.call<{ items: Procedure[] }>('/api/tee/procedures', { userId });
  expect(kept.body.items).toMatchObject([
    {
      parameters: { appName: { type: 'text', maxLength: 200 } },
      steps: [{ actionType: 'OpenApp', parameters: { appName: { $parameter: 'appName' } } }],
    },
  ]);
});

test('steps that the person allowed three times in a week are offered as a procedure, at one run', async () => {
  const { page, userId } = await openProcedures();
  const click = () => doneOnce(userId, true, { actionType: 'Click', parameters: { x: 100, y: 100 } });
  const runs = [await click(), await click(), await click()];
  const hint = page.getByText('You allowed this step 3 times this week. Make it a procedure?');
  const openRun = async (run: string | undefined) => {
    await page.evaluate(`location.hash = '#/activity/${run}'`);
    await page.getByRole('link', { name: 'Make a procedure…' }).waitFor();
  };
  await openRun(runs[0]);
  await hint.waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Procedures', exact: true }).click();
  await openRun(runs[1]);
  await page.getByRole('list', { name: 'Time line' }).locator('li').first().waitFor();
  expect(await hint.count()).toBe(0);
  await page.getByRole('link', { name: 'Procedures', exact: true }).click();
  await openRun(runs[0]);
  await hint.waitFor();
});

test('everybody can use it, in both themes, and nothing sticks out', async () => {
  const { page, open } = await openProcedures(WEEKLY, PLAIN);
  await (await open('Weekly report')).getByRole('button', { name: 'Approve…' }).click();
  await (await open('Pause')).getByRole('button', { name: 'Try or run…' }).click();
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await seriousFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await faultsOfColour(page)).toEqual([]);
  for (const size of [WINDOW, PANEL]) {
    await page.setViewportSize(size);
    expect(await overflow(page)).toBe(0);
  }
  expect(current().daemon.log()).not.toContain('Error');
});
