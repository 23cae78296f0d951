import { expect, test } from 'vitest';
import type { DashboardProgram } from '../../../src/contract/own-window.ts';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { isRefusal } from '../../../src/services/refusal.ts';
import { answerFirst } from '../answers.ts';
import { CLICK, control, doneBy, submitOn } from '../hands.ts';
import { done, type Rig, startServices } from '../rig.ts';

const CHROMIUM: ResolvedApp = {
  appName: 'Chromium Web Browser',
  bundleId: 'chromium.desktop',
  alsoKnownAs: ['/usr/bin/chromium'],
  risks: [],
};
const MAIN = 4_000;
const BROWSER: DashboardProgram = { pids: [4_021, MAIN], names: ['chromium'], isOwnWindow: false };
const REASON = 'Your dashboard is open in this browser. Open it in its own window: handrail open';

const rigWith = (): Rig => {
  const rig = startServices();
  rig.agent.apps.set('Chromium', done({ data: CHROMIUM }));
  return rig;
};

/** A person signs in, in this program. Answers the key. */
function signIn({ services }: Rig, program: DashboardProgram = BROWSER): string {
  const session = services.console.sessions.open(services.createSignInCode());
  if (isRefusal(session)) throw new Error('expected a session');
  services.console.sessions.shownIn(session.key, program);
  return session.key;
}

const ACCESS = {
  actionType: 'RequestAccess',
  parameters: { apps: ['Chromium'], allow: 'input', sites: ['example.org'], minutes: 60 },
};

async function withAccess(rig: Rig): Promise<void> {
  await submitOn(rig, ACCESS);
  answerFirst(rig, 'allow');
  await rig.agent.answer(done());
  expect(rig.services.console.grants.list()).toHaveLength(1);
}

/** An ordinary button of a page that has nothing to do with Handrail. */
const inProcess = (pid: number) =>
  control({ app: CHROMIUM, pid, windowTitle: 'Shop - Chromium', name: 'Next', documents: ['https://example.org/'] });

const WINDOW = {
  id: '0x9',
  app: 'Chromium',
  pid: MAIN,
  title: 'Overview',
  identity: CHROMIUM,
  bounds: { x: 0, y: 0, width: 800, height: 600 },
};

const EVERY_INPUT = [
  CLICK,
  { actionType: 'TypeText', parameters: { text: 'hello' } },
  { actionType: 'PressKeys', parameters: { keys: 'ctrl+v' } },
  { actionType: 'SetValue', parameters: { elementId: 'e1', value: 'x' } },
  { actionType: 'Scroll', parameters: { elementId: 'e1', dy: 1 } },
  { actionType: 'MovePointer', parameters: { elementId: 'e1' } },
];

test.each(EVERY_INPUT)('A20: $actionType never reaches the browser that holds the dashboard', async (body) => {
  const rig = rigWith();
  rig.services.console.profiles.assign('ann', 'trusted');
  signIn(rig);
  const action = await submitOn(rig, body, [inProcess(MAIN)]);
  expect(action).toMatchObject({ status: 'blocked', details: expect.stringContaining(REASON) });
  expect(doneBy(rig)).toEqual([]);
});

test('A20: a drag that ends in the browser of the dashboard is blocked, wherever it begins', async () => {
  const rig = rigWith();
  signIn(rig);
  const drag = { actionType: 'Drag', parameters: { from: { elementId: 'e1' }, to: { elementId: 'e2' } } };
  const action = await submitOn(rig, drag, [control(), inProcess(MAIN)]);
  expect(action).toMatchObject({ status: 'blocked', details: expect.stringContaining(REASON) });
});

test.each(['FocusWindow', 'MinimizeWindow', 'CloseWindow', 'InvokeMenu', 'MoveWindow'])(
  'A20: %s leaves every window of that browser alone',
  async (actionType) => {
    const rig = rigWith();
    signIn(rig);
    const more = { InvokeMenu: { path: ['File'] }, MoveWindow: { bounds: WINDOW.bounds } }[actionType];
    const action = await submitOn(rig, { actionType, parameters: { windowId: '0x9', ...more } }, [WINDOW]);
    expect(action).toMatchObject({ status: 'blocked', details: expect.stringContaining(REASON) });
  },
);

test('A20: another process of the same browser stays a target, and the first one does when the session has ended', async () => {
  const rig = rigWith();
  const key = signIn(rig);
  expect(await submitOn(rig, CLICK, [inProcess(5_000)])).toMatchObject({ status: 'awaiting_confirmation' });
  rig.services.console.sessions.close(key);
  expect(await submitOn(rig, CLICK, [inProcess(MAIN)])).toMatchObject({ status: 'awaiting_confirmation' });
});

test('A21: access to the browser of the dashboard is refused with the way out', async () => {
  const rig = rigWith();
  signIn(rig);
  const action = await submitOn(rig, ACCESS);
  expect(action).toMatchObject({ status: 'blocked', details: expect.stringContaining(REASON) });
});

test('A21: a session that begins in an app ends the access to it, and the journal says why', async () => {
  const rig = rigWith();
  await withAccess(rig);
  signIn(rig);
  expect(rig.services.console.grants.list()).toEqual([]);

  expect(rig.store.journal.readAfter(0, 500).find(({ kind }) => kind === 'grant.revoked')?.metadata).toMatchObject({
    because: 'dashboard_opened',
  });
});

test("A21: the dashboard in Handrail's own window leaves the access to the person's browser as it was", async () => {
  const rig = rigWith();
  await withAccess(rig);
  signIn(rig, { ...BROWSER, isOwnWindow: true });
  expect(rig.services.console.grants.list()).toHaveLength(1);
  expect(await submitOn(rig, CLICK, [inProcess(5_000)])).toMatchObject({ status: 'running' });
  await rig.agent.answer(done());
  expect(await submitOn(rig, CLICK, [inProcess(MAIN)])).toMatchObject({ status: 'blocked' });
});

test('A20: a session that begins between judgement and effect calls off the input that waits, is queued or runs', async () => {
  const rig = rigWith();
  await withAccess(rig);
  const running = await submitOn(rig, CLICK, [inProcess(MAIN)]);
  const waiting = await submitOn(rig, CLICK, [{ ...inProcess(MAIN), name: 'Delete' }]);
  expect([running.status, waiting.status]).toEqual(['running', 'awaiting_confirmation']);
  signIn(rig);
  await rig.sent();
  expect(rig.agent.cancelled).toHaveLength(1);
  expect(rig.services.console.confirmations.list()).toEqual([]);
});

test('A21: a wish for access that waits while the session begins is withdrawn', async () => {
  const rig = rigWith();
  await submitOn(rig, ACCESS);
  signIn(rig);
  expect(rig.services.console.confirmations.list()).toEqual([]);
});

test('A22: a picture of a window of that browser asks, with access and under every profile', async () => {
  const rig = rigWith();
  rig.services.console.profiles.assign('ann', 'trusted');
  signIn(rig);
  const look = { actionType: 'TakeScreenshot', parameters: { windowId: '0x9' } };
  expect(await submitOn(rig, look, [WINDOW])).toMatchObject({ status: 'awaiting_confirmation' });
});

test('A28: a picture of a display or a region is sent with the programs that show a dashboard, and none without', async () => {
  const rig = rigWith();
  rig.services.console.profiles.assign('ann', 'trusted');
  const look = { actionType: 'TakeScreenshot', parameters: { region: { x: 0, y: 0, width: 10, height: 10 } } };
  await submitOn(rig, look);
  expect(doneBy(rig).at(-1)).not.toHaveProperty('dashboards');
  await rig.agent.answer(done());
  const key = signIn(rig);
  signIn(rig, { pids: [9], names: ['Safari'], isByName: true });
  await submitOn(rig, { ...look, parameters: {} });
  expect(doneBy(rig).at(-1)?.dashboards).toEqual({ pids: [...BROWSER.pids, 9], apps: ['Safari'] });
  await rig.agent.answer(done());
  rig.services.console.sessions.close(key);
  await submitOn(rig, { ...look, parameters: { format: 'jpeg' } });
  expect(doneBy(rig).at(-1)?.dashboards).toEqual({ pids: [9], apps: ['Safari'] });
});

test('A20: where the system names no program, a process that shows the dashboard is known from then on', async () => {
  const rig = rigWith();
  const session = rig.services.console.sessions.open(rig.services.createSignInCode());
  expect(isRefusal(session)).toBe(false);
  await submitOn(rig, CLICK, [{ ...inProcess(MAIN), isOwn: true }]);
  expect(await submitOn(rig, CLICK, [inProcess(MAIN)])).toMatchObject({ status: 'blocked' });
});

test('A20: where only the name of the app is known, each process of it is out of bounds', async () => {
  const rig = rigWith();
  signIn(rig, { pids: [9], names: ['Safari'], isByName: true });
  const safari = { ...CHROMIUM, appName: 'Safari', bundleId: 'com.apple.Safari' };
  const found = control({ app: safari, pid: 77, windowTitle: 'Shop' });
  expect(await submitOn(rig, CLICK, [found])).toMatchObject({ status: 'blocked' });
});

test('A20: a script that calls with the key from many processes does not push the browser out', async () => {
  const rig = rigWith();
  const key = signIn(rig);
  const { shownIn } = rig.services.console.sessions;
  for (let pid = 10_000; pid < 12_000; pid += 1) {
    shownIn(key, { pids: [pid], names: ['curl'] });
    if (pid % 500 === 0) shownIn(key, BROWSER);
  }
  expect(await submitOn(rig, CLICK, [inProcess(MAIN)])).toMatchObject({ status: 'blocked' });
  expect(await submitOn(rig, CLICK, [inProcess(10_001)])).toMatchObject({ status: 'awaiting_confirmation' });
});
