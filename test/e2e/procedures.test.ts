import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { PersonsProcedure, Procedure, ProcedureDraft, ProcedureMend } from '../../src/contract/procedure.ts';
import type { Task } from '../../src/contract/task.ts';
import { openWindow } from '../browser/chromium.ts';
import type { Answer } from './daemon.ts';
import { shareHands } from './shared.ts';
import { serveSite } from './web-site.ts';

/** A form is filled twice by an agent, made into a procedure, approved once, and filled again and again with other values. */
const RUNS = Number(process.env.PROCEDURE_RUNS ?? 3);
const FIELDS = ['Name', 'Street', 'House', 'City', 'Zip', 'Country', 'Phone', 'Mail', 'Note', 'Size'] as const;
const FIXED = ['Phone', 'Country'];

const orders: URLSearchParams[] = [];
const look = { rows: 0, button: 'Send order', isDoubled: false };

function form(): string {
  const fields = FIELDS.map((name) => `<p><label>${name} <input name="${name}"></label>`).join('');
  const rows = Array.from({ length: look.rows }, (_, row) => `<p><label>Row ${row} <input></label>`).join('');
  const button = `<p><button>${look.button}</button>`;
  return `<title>Order</title>${rows}<form action="/order" autocomplete="off">${fields}${button}${look.isDoubled ? button : ''}</form>`;
}

const shop = await serveSite((request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here/');
  if (pathname === '/order') orders.push(searchParams);
  const thanks = '<title>Thanks</title><h1>Thank you</h1><a href="/">New order</a>';
  answer.setHeader('content-type', 'text/html').end(pathname === '/order' ? thanks : form());
});
const site = shop.host;
const hands = await shareHands({}, { width: 1280, height: 800 });
const { rig, daemon, person, deviceId } = hands;
let browser: Awaited<ReturnType<typeof openWindow>>;
await openBrowser();

async function openBrowser(): Promise<void> {
  browser = await openWindow(rig.env);
  await browser.page.goto(`http://${site}/`);
}

afterAll(async () => {
  await browser.close();
  shop.close();
});

/** Calls as the agent; whatever is asked meanwhile the person allows. Answers how often that was. */
async function asAgent<Body>(path: string, body: unknown): Promise<{ answer: Answer<Body>; prompts: string[] }> {
  const prompts: string[] = [];
  let isOver = false;
  const desk = (async () => {
    while (!isOver) {
      const [asked] = await person.prompts();
      if (asked !== undefined) {
        prompts.push(asked.prompt.sentence);
        await person.answer('allow');
      }
      await pause(100);
    }
  })();
  const answer = await daemon.call<Body>(path, { userId: 'ann', body, headers: { prefer: 'wait=60' } });
  isOver = true;
  await desk;
  return { answer, prompts };
}

async function act(actionType: string, parameters: Record<string, unknown>): Promise<Action> {
  const { answer } = await asAgent<Action>('/api/tee/actions', { actionType, targetDeviceId: deviceId, parameters });
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ status: 'success' });
  return answer.body;
}

async function asPerson<Body>(path: string, body?: unknown, method?: string): Promise<Body> {
  const answer = await person.call<Body>(`/${path}`, {
    body,
    ...(method && { method }),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** Fills the form and sends it, as an agent does that looks first. */
async function fillByHand(value: (field: string) => string): Promise<string[]> {
  const ids: string[] = [];
  const screen = async () => {
    const seen = await act('DescribeScreen', { contents: true, settle: true });
    return (seen.data as { elements: { id: string; role: string; name: string }[] }).elements;
  };
  const idOf = (elements: Awaited<ReturnType<typeof screen>>, role: string, name: string) =>
    elements.find((element) => element.role === role && element.name === name)?.id;
  const before = await screen();
  for (const field of FIELDS)
    ids.push((await act('SetValue', { elementId: idOf(before, 'textbox', field), value: value(field) })).actionId);
  ids.push((await act('Click', { elementId: idOf(before, 'button', 'Send order') })).actionId);
  ids.push((await act('WaitFor', { windowTitle: 'Thanks' })).actionId);
  ids.push((await act('Click', { elementId: idOf(await screen(), 'link', 'New order') })).actionId);
  ids.push((await act('WaitFor', { windowTitle: 'Order' })).actionId);
  return ids;
}

const valuesOf = (run: string) => (field: string) => (FIXED.includes(field) ? 'same' : `${field} ${run}`);
const argumentsOf = (run: string) =>
  Object.fromEntries(
    FIELDS.filter((each) => !FIXED.includes(each)).map((each) => [each.toLowerCase(), `${each} ${run}`]),
  );

async function run(values: Record<string, unknown>) {
  const body = { procedure: 'Order', parameters: values, targetDeviceId: deviceId };
  const { answer, prompts } = await asAgent<Task>('/api/tee/intents', body);
  let task = answer.body;
  while (task.status === 'running') {
    const path = `/api/tee/tasks/${task.taskId}`;
    task = (await daemon.call<Task>(path, { userId: 'ann', headers: { prefer: 'wait=60' } })).body;
  }
  return { status: answer.status, task, prompts };
}

let draft: ProcedureDraft;

test('two runs of the same work make a draft, and what differs is a parameter', async () => {
  await act('RequestAccess', { apps: ['chromium'], allow: 'input', sites: [site], minutes: 10 });
  const first = await fillByHand(valuesOf('one'));
  const second = await fillByHand(valuesOf('two'));
  expect(orders).toHaveLength(2);
  const source = { name: 'Order', actionIds: first, comparedWithIds: second };
  draft = (await asAgent<ProcedureDraft>('/api/tee/procedures/draft', source)).answer.body;
  expect(draft.faults).toEqual([]);
  expect(Object.keys(draft.draft.parameters)).toEqual(Object.keys(argumentsOf('')));
  expect(draft.draft.steps.map(({ actionType }) => actionType)).toEqual([
    ...FIELDS.map(() => 'SetValue'),
    'Click',
    'Click',
  ]);
  expect(draft.draft.steps.at(-2)).toMatchObject({
    target: { app: expect.stringContaining('Chromium'), site, role: 'button', name: 'Send order' },
    expect: { window: 'Thanks' },
  });
});

test('the person reads it in words, and approves it for a number of runs', async () => {
  const body = { ...draft.draft, may: { critical: ['s11'], minutes: 5 } };
  const kept = await daemon.call<Procedure>('/api/tee/procedures', { method: 'PUT', userId: 'ann', body });
  expect(kept.status, JSON.stringify(kept.body)).toBe(200);
  const [shown] = (await asPerson<{ items: PersonsProcedure[] }>('procedures')).items;
  expect(shown?.steps.map(({ sentence }) => sentence)).toContain(`Click on the button “Send order” on ${site}`);
  expect(shown?.steps.find(({ id }) => id === 's11')).toMatchObject({ risk: 'high', asks: true });
  const { digest } = kept.body;
  const approval = { userId: 'ann', digest, targetDeviceId: deviceId, days: 1, runs: RUNS + 20 };
  const approved = await asPerson<PersonsProcedure>('procedures/Order/approve', approval);
  expect(approved.approvals).toMatchObject([{ runsLeft: RUNS + 20 }]);
  const intents = await daemon.call<{ items: unknown[] }>('/api/tee/intents', { userId: 'ann' });
  expect(intents.body.items).toMatchObject([{ procedure: 'Order', runsLeft: RUNS + 20 }]);
});

test('it runs with other values without a prompt, whatever became of the browser, the window, the scrolling and the list', async () => {
  orders.length = 0;
  const change = [
    async () => {
      await browser.close();
      await openBrowser();
    },
    async () => {
      look.rows = 20;
      await browser.page.reload();
    },
    async () => rig.ask('wmctrl', '-r', 'Order', '-e', '0,200,100,900,600'),
    async () => browser.page.evaluate('scrollTo(0, 10000)'),
    async () => undefined,
  ];
  for (let index = 0; index < RUNS; index += 1) {
    await change[index % change.length]?.();
    const { task, prompts } = await run(argumentsOf(`run ${index}`));
    expect(
      task.steps?.filter(({ status }) => status !== 'success'),
      JSON.stringify(task),
    ).toEqual([]);
    expect(prompts).toEqual([]);
  }
  expect(orders.map((order) => Object.fromEntries(order))).toEqual(
    Array.from({ length: RUNS }, (_, index) =>
      Object.fromEntries(FIELDS.map((field) => [field, valuesOf(`run ${index}`)(field)])),
    ),
  );
});

/** Runs it once with the desktop changed; answers how the step ended at which it stopped, and what came after it. */
async function stopped(change: () => Promise<unknown>, restore: () => Promise<unknown>) {
  const before = orders.length;
  await browser.page.goto(`http://${site}/`);
  await change();
  const { task, prompts } = await run(argumentsOf('changed'));
  await restore();
  const at = task.steps.find(({ status }) => status !== 'success');
  const later = task.steps.slice(task.steps.findIndex(({ id }) => id === at?.id) + 1);
  expect([...new Set(later.map(({ status }) => status))]).toEqual(['skipped']);
  return { id: at?.id, why: at?.error?.message ?? at?.details, prompts, sent: orders.length - before };
}

const withForm = (change: Partial<typeof look>) => async () => {
  Object.assign(look, { rows: 0, button: 'Send order', isDoubled: false }, change);
  await browser.page.reload();
};

test('N54: a button of another name, a second equal one, a window in front and a missing window stop it before its step', async () => {
  expect(await stopped(withForm({ button: 'Buy now' }), withForm({}))).toEqual({
    id: 's11',
    prompts: [],
    sent: 0,
    why: expect.stringMatching(
      /^button "Send order" of Chromium .* was looked for\. Nothing on the screen answers to it/u,
    ),
  });
  expect(await stopped(withForm({ isDoubled: true }), withForm({}))).toEqual({
    id: 's11',
    prompts: [],
    sent: 0,
    why: expect.stringContaining('2 controls answer to it, and nobody said which.'),
  });
  const front: { end(): Promise<void> }[] = [];
  const cover = async () => front.push((await rig.open('xterm', ['-geometry', '200x60+0+0'])).app);
  expect(await stopped(cover, async () => front.pop()?.end())).toEqual({
    id: 's1',
    prompts: [],
    sent: 0,
    why: expect.stringContaining('Another window'),
  });
  expect(await stopped(browser.close, openBrowser)).toEqual({
    id: 's1',
    prompts: [],
    sent: 0,
    why: expect.stringContaining('Nothing on the screen answers to it'),
  });
});

test('Mend shows the renamed button in a fresh picture of its app', async () => {
  await browser.page.goto(`http://${site}/`);
  await withForm({ button: 'Buy now' })();
  const { task } = await run(argumentsOf('mended'));
  const { look } = await asPerson<ProcedureMend>(`tasks/${task.taskId}/mend?look=true`);
  const control = look?.controls.find(({ target }) => target.name === 'Buy now');
  expect(control?.target).toMatchObject({ role: 'button', site });
  const [place, region] = [control?.bounds, look?.picture?.region];
  expect(place && region && place.x > region.x && place.y + place.height < region.y + region.height).toBe(true);
  await withForm({})();
});

test('a value out of its bound is refused before any effect, and a changed procedure asks again', async () => {
  const { name: _left, ...others } = argumentsOf('one');
  const short = await run(others);
  expect(short).toMatchObject({ status: 422, prompts: [] });
  expect(JSON.stringify(short.task)).toContain('the parameter name is missing');
  const kept = (await daemon.call<Procedure>('/api/tee/procedures/Order', { userId: 'ann' })).body;
  const { userId: _user, version: _version, digest: _digest, changedAt: _at, ...file } = kept;
  const changed = { ...file, may: { ...file.may, minutes: 6 } };
  await daemon.call('/api/tee/procedures', { method: 'PUT', userId: 'ann', body: changed });
  const sent = orders.length;
  const again = await run(argumentsOf('asked'));
  expect(again.prompts).toHaveLength(1);
  expect(again.task.status, JSON.stringify(again.task)).toBe('success');
  expect(orders.length - sent).toBe(1);
});

test('a file is moved by a procedure that the person approved, from a path that comes as a parameter', async () => {
  const home = realpathSync(String(rig.env.HOME));
  mkdirSync(join(home, 'Reports', 'Old'), { recursive: true });
  writeFileSync(join(home, 'Reports', 'a.txt'), 'a');
  const file = {
    name: 'Put away',
    parameters: { file: { type: 'path', under: '~/Reports' }, place: { type: 'path', under: '~/Reports/Old' } },
    steps: [
      { id: 'move', actionType: 'MoveFile', parameters: { from: { $parameter: 'file' }, to: { $parameter: 'place' } } },
    ],
    may: { critical: ['move'], minutes: 1 },
  };
  const kept = await daemon.call<Procedure>('/api/tee/procedures', { method: 'PUT', userId: 'ann', body: file });
  expect(kept.status, JSON.stringify(kept.body)).toBe(200);
  const approval = { userId: 'ann', digest: kept.body.digest, targetDeviceId: deviceId, days: 1, runs: 2 };
  await asPerson<PersonsProcedure>(`procedures/${encodeURIComponent('Put away')}/approve`, approval);
  const parameters = { file: '~/Reports/a.txt', place: '~/Reports/Old/a.txt' };
  const body = { procedure: 'Put away', parameters, targetDeviceId: deviceId };
  const { answer, prompts } = await asAgent<Task>('/api/tee/intents', body);
  expect([answer.body.status, prompts], JSON.stringify(answer.body)).toEqual(['success', []]);
  expect(readFileSync(join(home, 'Reports', 'Old', 'a.txt'), 'utf8')).toBe('a');
});
