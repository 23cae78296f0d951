import type { App, Notification } from 'electron';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import { type AppEvents, createDoors, type Doors, type NoticeEvents } from '../../src/electron/doors.ts';
import type { Ask } from '../../src/shell/asks.ts';
import { until } from '../desktop/processes.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { createFakeApp, createFakeNotice, createFakeWindow, type FakeWindow } from './fake-electron.ts';

let rig: DaemonInProcess;
let asked: Confirmation;
let windows: Record<Ask, FakeWindow>;
let app: ReturnType<typeof createFakeApp>;
let doors: Doors;

beforeAll(async () => {
  rig = await startDaemonInProcess();
  await rig.submit({ actionType: 'TakeScreenshot', parameters: {} });
  [asked] = (await rig.prompts()) as [Confirmation];
});
afterAll(() => rig.end());

beforeEach(() => {
  windows = { show: createFakeWindow(), review: createFakeWindow() };
  app = createFakeApp();
  doors = createDoors(app);
});

function openDoors(): void {
  doors.open({ daemon: rig.daemon, windowFor: (ask) => windows[ask] });
}

function notice() {
  const made = createFakeNotice();
  doors.watch(made);
  return made;
}

const windowCalls = () => ({ show: windows.show.calls, review: windows.review.calls });
const UNTOUCHED = { show: [], review: [] };
const FORWARD = ['restore', 'show', 'focus'];

/** This was done to the windows; the prompt is the one that was there, unanswered; nothing has happened on the desktop. */
async function expectStillWaiting(windows: ReturnType<typeof windowCalls>): Promise<void> {
  expect(windowCalls()).toEqual(windows);
  const prompts = await rig.prompts();
  expect(prompts.map(({ id, nonce, status, shownAt }) => ({ id, nonce, status, shownAt }))).toEqual([
    { id: asked.id, nonce: asked.nonce, status: 'pending', shownAt: undefined },
  ]);
  expect(rig.ledger()).toEqual([]);
}

/** That so many attempts are counted; the second and later ones of a second are counted when it is over. */
async function expectCounted(attempts: readonly unknown[], attempt: () => void): Promise<void> {
  const before = await rig.refusedAttempts();
  attempt();
  const expected = before + attempts.length;
  const isCounted = async () => (await rig.refusedAttempts()) >= expected;
  await until(`${expected} attempts are counted`, isCounted);
  expect(await rig.refusedAttempts()).toBe(expected);
}

test('what electron has fits the doors', () => {
  expectTypeOf<App>().toExtend<AppEvents>();
  expectTypeOf<Notification>().toExtend<NoticeEvents>();
});

describe('A2: an approval from outside the dashboard', () => {
  test('by a link is refused and counted, and changes nothing', async () => {
    openDoors();
    const links = [
      `handrail://approve/${asked.id}`,
      `handrail://approve?id=${asked.id}&nonce=${asked.nonce}&digest=${asked.actionDigest}`,
      `handrail://review/${asked.id}?decision=allow`,
      `handrail://review#allow`,
      `handrail://127.0.0.1/api/console/confirmations/${asked.id}/decision`,
      `javascript:approve('${asked.id}')`,
    ];
    await expectCounted(links, () => {
      for (const link of links) expect([link, app.link(link)]).toEqual([link, true]);
    });
    await expectStillWaiting(UNTOUCHED);
  });

  test('by the data of a second start is refused and counted, and changes nothing', async () => {
    openDoors();
    const starts = [
      undefined,
      {},
      { ask: 'approve' },
      { ask: 'approve', id: asked.id },
      { ask: 'review', decision: 'allow', nonce: asked.nonce },
      { argv: [`--approve=${asked.id}`] },
    ];
    await expectCounted(starts, () => {
      for (const data of starts) app.secondStart(data);
    });
    await expectStillWaiting(UNTOUCHED);
  });

  test('by a notification is refused and counted, and changes nothing', async () => {
    openDoors();
    const { action, reply } = notice();
    const presses = [() => action(1), () => action(-1), () => reply('approve'), () => reply(asked.nonce)];
    await expectCounted(presses, () => {
      for (const press of presses) press();
    });
    await expectStillWaiting(UNTOUCHED);
  });

  test('before the daemon is up is counted when it is, and changes nothing', async () => {
    const attempts = [() => app.link(`handrail://approve/${asked.id}`), () => app.secondStart({ ask: 'approve' })];
    for (const attempt of attempts) attempt();
    await expectCounted(attempts, openDoors);
    await expectStillWaiting(UNTOUCHED);
  });
});

describe('what may be asked', () => {
  test.each<[string, () => void, Ask]>([
    ['a link to the dashboard', () => app.link('handrail://show'), 'show'],
    ['a link to what waits', () => app.link('handrail://review'), 'review'],
    ['a plain second start, with the switches that macOS adds', () => app.secondStart({ ask: 'show' }), 'show'],
    ['a second start to review', () => app.secondStart({ ask: 'review' }), 'review'],
    [
      'a second start with arguments that name a prompt, which are not read',
      () => app.secondStart({ ask: 'show' }, [`--approve=${asked.id}`]),
      'show',
    ],
    ['opening the running app', () => app.activate(), 'show'],
    ['a click on a notification', () => notice().click(), 'review'],
    ['its one action', () => notice().action(0), 'review'],
  ])('%s brings a window forward, and nothing else', async (_what, ask, window) => {
    openDoors();
    const before = await rig.refusedAttempts();
    ask();
    expect(await rig.refusedAttempts()).toBe(before);
    await expectStillWaiting({ ...UNTOUCHED, [window]: FORWARD });
  });

  test('a window that is not minimized is not restored', () => {
    openDoors();
    for (const link of ['handrail://show', 'handrail://show']) app.link(link);
    expect(windowCalls()).toEqual({ show: [...FORWARD, 'show', 'focus'], review: [] });
  });

  test('the link that started the app is answered when the shell is up, once', () => {
    app.link('handrail://review');
    expect(windowCalls()).toEqual(UNTOUCHED);
    openDoors();
    openDoors();
    expect(windowCalls()).toEqual({ show: [], review: FORWARD });
  });
});

test('the person at the dashboard, after all that, is believed', async () => {
  const { actionId } = await rig.allow(asked);
  await until('the picture is taken', async () => (await rig.action(actionId)).status === 'success');
  expect(rig.ledger().filter((line) => line.includes('"capture"'))).toHaveLength(1);
});
