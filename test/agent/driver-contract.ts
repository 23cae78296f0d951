import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { Attempt, Failed, Image, Outcome } from '../../agent/drivers/outcome.ts';
import { Effect, FailureCode, SideEffect } from '../../src/contract/action.ts';
import { Display, Permissions } from '../../src/contract/device.ts';
import type { CancelReason } from '../../src/contract/link.ts';
import {
  OpenedApp,
  QuitResult,
  ResolvedApp,
  ResolvedWindow,
  ScreenDescription,
  ScreenshotData,
} from '../../src/contract/screen.ts';
import { until } from '../desktop/processes.ts';
import { type MachineNeed, machineHas } from '../runner/machine-needs.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { unhurried } from './unhurried.ts';

/** The facts that the suite needs about the desktop a driver is pointed at. */
export type DriverHarness = {
  driver: Driver;
  /** Installed, shows a window within seconds. `misspelled` is near its name and no app has it. */
  app: { name: string; misspelled: string };
  /** Installed; its program runs and never shows a window, so that opening it lasts until something stops it. */
  windowlessApp: string;
  /** Listed as installed, but its program cannot be started. */
  brokenApp: string;
  /** Shown by a document on the screen from the start. */
  documentText: string;
  /** Entered in a password field on the screen from the start. */
  password: string;
  /** Runs with a document that was changed and not saved, so that it asks when it is to close. */
  showUnsavedApp(): Promise<ShownApp>;
  /** Runs, shows a window, and hears nothing that is said to it. */
  showDeafApp(): Promise<ShownApp>;
  /** Every program the driver has started so far to open an app. */
  startedPrograms(): Promise<readonly string[]>;
  /** The resources that the driver still holds: helper processes, connections, timers. Read after `driver.close()`. */
  leftovers(): Promise<readonly string[]>;
  /** Ends whatever the harness started; the driver is closed before. */
  dispose(): Promise<void>;
};

/** An app that a test puts on the screen; `end` takes it away by other means than the driver. */
export type ShownApp = { name: string; end(): Promise<void> };

/** Makes a desktop with a driver on it; `screen: 'none'` has no display, and then only `driver` and `app` matter. */
export type MakeHarness = (options: { screen: 'present' | 'none' }) => Promise<DriverHarness>;

/** An opening app is given up after 10 s by itself; on a free machine a stopped attempt ends within milliseconds. */
const PROMPT_MS = 8_000;
const AMPLE_MS = 30_000;

/** One of each kind; `app-name.test.ts` has more. */
const REFUSED_NAMES = ['Safari; id', '--help', '/usr/bin/id', 'file:///etc/passwd', 'S\u0430fari', ' '] as const;

/**
 * The duties of a driver, one test for each: the same for the fake and for every real desktop.
 * Tests run in order on one desktop; the last ones close the driver.
 */
export function describeDriver(name: string, makeHarness: MakeHarness, need?: MachineNeed): void {
  if (need !== undefined) skipAllWithout(need);
  const shared = (screen: 'present' | 'none') =>
    sharedHarness(async () => (need === undefined || machineHas(need) ? makeHarness({ screen }) : undefined));
  describe(`the ${name} driver`, () => {
    const harness = shared('present');
    environmentDuties(harness);
    openAppDuties(harness);
    screenshotDuties(harness);
    windowDuties(harness);
    descriptionDuties(harness);
    privacyDuties(harness);
    quitAppDuties(harness);
    stoppingDuties(harness);
    closingDuties(harness);
  });
  describe(`the ${name} driver without a display`, () => {
    blindDuties(shared('none'));
  });
}

type Shared = () => DriverHarness;

function sharedHarness(make: () => Promise<DriverHarness | undefined>): Shared {
  let harness: DriverHarness | undefined;
  beforeAll(async () => {
    harness = await make();
  });
  afterAll(async () => {
    await harness?.driver.close();
    await harness?.dispose();
  });
  return () => {
    if (harness === undefined) throw new Error('the harness is made in beforeAll');
    return harness;
  };
}

function environmentDuties(harness: Shared): void {
  test('reports displays, exactly one of them primary, and the state of each permission', async () => {
    const { displays, permissions } = await harness().driver.environment();
    for (const display of displays) expectShape(Display, display);
    expectShape(Permissions, permissions);
    expect(displays.filter((display) => display.primary)).toHaveLength(1);
  });
}

function openAppDuties(harness: Shared): void {
  test('opens an app and proves it with a live process and a window', async () => {
    const { driver, app } = harness();
    const outcome = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    expect(outcome.effect).toBe('confirmed');
    expect(outcome.data.pid).toBeGreaterThan(0);
    expect(outcome.details).toContain(outcome.data.appName);
  });

  test('opening an app that runs brings it to the front instead of starting it anew', async () => {
    const { driver, app } = harness();
    const first = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    const second = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    expect(second.data).toMatchObject({ pid: first.data.pid, alreadyRunning: true, frontmost: true });
    expect(second.effect).toBe('confirmed');
  });

  test('tells which app a name leads to, by the rules of opening it, and starts nothing', async () => {
    const { driver, app, startedPrograms } = harness();
    const before = await startedPrograms();
    const found = expectDone(ResolvedApp, await driver.resolveApp({ appName: app.name }, unhurried()));
    expect(found).toMatchObject({ effect: 'none', data: { appName: app.name } });
    const missing = expectFailed(await driver.resolveApp({ appName: app.misspelled }, unhurried()));
    expect(missing).toMatchObject({ code: 'app_not_found', sideEffect: 'none' });
    const refused = expectFailed(await driver.resolveApp({ appName: '-a' }, unhurried()));
    expect(refused).toMatchObject({ code: 'invalid_target', sideEffect: 'none' });
    expect(await startedPrograms()).toEqual(before);
  });

  test('an app that is not installed fails with app_not_found and names near ones', async () => {
    const { driver, app } = harness();
    const failure = expectFailed(await driver.openApp({ appName: app.misspelled }, unhurried()));
    expect(failure).toMatchObject({ code: 'app_not_found', sideEffect: 'none' });
    expect(`${failure.message} ${failure.fix}`).toContain(app.name);
  });

  test.each(REFUSED_NAMES)('refuses the name %j and starts nothing', async (appName) => {
    const { driver, startedPrograms } = harness();
    const before = await startedPrograms();
    const failure = expectFailed(await driver.openApp({ appName }, unhurried()));
    expect(failure).toMatchObject({ code: 'invalid_target', sideEffect: 'none' });
    expect(await startedPrograms()).toEqual(before);
  });

  test('a program that cannot be started is a failure, and the driver goes on answering', async () => {
    const { driver, brokenApp } = harness();
    const failure = expectFailed(await driver.openApp({ appName: brokenApp }, unhurried()));
    expect(failure.sideEffect).toBe('none');
    expect((await driver.environment()).displays.length).toBeGreaterThan(0);
  });
}

function screenshotDuties(harness: Shared): void {
  test('takes a screenshot whose bytes and data agree', async () => {
    const outcome = expectDone(ScreenshotData, await harness().driver.takeScreenshot({}, unhurried()));
    const image = onlyImage(outcome.images);
    expect({ width: image.width, height: image.height }).toEqual({
      width: outcome.data.width,
      height: outcome.data.height,
    });
    expect(image.mediaType).toBe(`image/${outcome.data.format}`);
    expect(image.bytes.byteLength).toBeGreaterThan(0);
    expect(outcome.data.displays.length).toBeGreaterThan(0);
    expect(outcome.effect).toBe('none');
  });

  test.each([
    ['png', '89504e47'],
    ['jpeg', 'ffd8ff'],
    ['webp', '52494646'],
  ] as const)('encodes %s when asked to', async (format, magic) => {
    const outcome = expectDone(ScreenshotData, await harness().driver.takeScreenshot({ format }, unhurried()));
    expect(outcome.data.format).toBe(format);
    expect(Buffer.from(onlyImage(outcome.images).bytes).toString('hex').startsWith(magic)).toBe(true);
  });

  test('makes an image no wider than asked, of the same proportions', async () => {
    const whole = expectDone(ScreenshotData, await harness().driver.takeScreenshot({}, unhurried()));
    const small = expectDone(ScreenshotData, await harness().driver.takeScreenshot({ maxWidth: 64 }, unhurried()));
    expect(small.data.width).toBe(Math.min(64, whole.data.width));
    const expectedHeight = (whole.data.height * small.data.width) / whole.data.width;
    expect(Math.abs(small.data.height - expectedHeight)).toBeLessThanOrEqual(1);
  });

  test('answers captures asked for at once, each with a whole image', async () => {
    const { driver } = harness();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => driver.takeScreenshot({}, unhurried())));
    const sizes = outcomes.map((outcome) => {
      const { width, height } = onlyImage(expectDone(ScreenshotData, outcome).images);
      return `${width}x${height}`;
    });
    expect(new Set(sizes).size).toBe(1);
  });

  test.each([
    ['display', { display: 'no-such-display' }],
    ['window', { windowId: 'no-such-window' }],
  ])('a %s that does not exist is a failure without effect', async (_what, parameters) => {
    const failure = expectFailed(await harness().driver.takeScreenshot(parameters, unhurried()));
    expect(failure.sideEffect).toBe('none');
  });
}

function windowDuties(harness: Shared): void {
  async function shownWindow(): Promise<ResolvedWindow> {
    const { driver, app } = harness();
    const { data: opened } = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    const { windows } = (await described(driver, {})).data;
    const windowId = windows.find(({ pid }) => pid === opened.pid)?.id ?? '';
    // It may still grow, and a description is of an earlier moment.
    const resolve = async () => expectDone(ResolvedWindow, await driver.resolveWindow({ windowId }, unhurried())).data;
    const { window, shown } = await until('the window stands still', async () => {
      const window = await resolve();
      const shown = (await described(driver, {})).data.windows;
      return isDeepStrictEqual(shown.find(({ id }) => id === windowId)?.bounds, window.bounds) && { window, shown };
    });
    expect(window).toMatchObject({ id: windowId, pid: opened.pid });
    const { identity: _identity, ...told } = window;
    expect(shown).toContainEqual(expect.objectContaining(told));
    return window;
  }

  test('tells which window has an id, as a description does', async () => {
    expect((await shownWindow()).app).toBe(harness().app.name);
    const failure = expectFailed(await harness().driver.resolveWindow({ windowId: 'no-such-window' }, unhurried()));
    expect(failure).toMatchObject({ code: 'target_gone', sideEffect: 'none', fix: expect.any(String) });
  });

  test('the app of a window is the one that its name leads to', async () => {
    const { identity } = await shownWindow();
    const named = await harness().driver.resolveApp({ appName: harness().app.name }, unhurried());
    expect(identity).toEqual(expectDone(ResolvedApp, named).data);
  });

  test('captures a window that is as the person was told', async () => {
    const window = await shownWindow();
    const wish = { windowId: window.id };
    const attempt = unhurried({ targets: [{ kind: 'window', windowId: window.id, window }] });
    const outcome = await harness().driver.takeScreenshot(wish, attempt);
    const { width, height } = expectDone(ScreenshotData, outcome).data.bounds;
    expect(onlyImage(expectDone(ScreenshotData, outcome).images).bytes.byteLength).toBeGreaterThan(0);
    expect({ width, height }).toEqual({ width: window.bounds.width, height: window.bounds.height });
  });

  test('a window with another title than the person was told is not captured, nor told', async () => {
    const now = await shownWindow();
    const window = { ...now, title: 'What the person saw' };
    const attempt = unhurried({ targets: [{ kind: 'window', windowId: now.id, window }] });
    const failure = expectFailed(await harness().driver.takeScreenshot({ windowId: now.id }, attempt));
    expect(failure).toMatchObject({ code: 'target_changed', sideEffect: 'none', fix: expect.any(String) });
    expect(failure.message).toContain('Changed: its title.');
    expect(`${failure.message} ${failure.fix}`).not.toContain(now.title);
  });
}

function descriptionDuties(harness: Shared): void {
  test('describes the screen in the one shape, with a paragraph to read aloud', async () => {
    const { driver, app } = harness();
    const { data: opened } = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    const outcome = await described(driver, {});
    expect(outcome.effect).toBe('none');
    expect(outcome.data.windows.map((window) => window.pid)).toContain(opened.pid);
    expect(outcome.data.frontmostApp).not.toBeNull();
    expect(outcome.details).toContain(outcome.data.frontmostApp);
    expect(outcome.data.elements.length).toBeGreaterThan(0);
  });

  test('every reference inside a description leads somewhere', async () => {
    const { data } = await described(harness().driver, { contents: true });
    expectConsistent(data);
  });

  test('gives each description a frame of its own', async () => {
    const { driver } = harness();
    const frames = await Promise.all([described(driver, {}), described(driver, {}), described(driver, {})]);
    expect(new Set(frames.map((frame) => frame.data.frameId)).size).toBe(3);
  });

  test('keeps to maxElements and says what was cut', async () => {
    const { data } = await described(harness().driver, { maxElements: 2 });
    expect(data.elements).toHaveLength(2);
    expect(data.complete).toBe(false);
    expect(data.degradedReasons.map((reason) => reason.code)).toContain('elements_cut');
  });
}

function privacyDuties(harness: Shared): void {
  test('without contents nothing a document holds is in the answer', async () => {
    const { driver, documentText } = harness();
    const outcome = await described(driver, {});
    expect(JSON.stringify(outcome)).not.toContain(documentText);
    expect(outcome.data.text).toEqual([]);
    expect(outcome.data.elements.filter((element) => element.value !== undefined)).toEqual([]);
  });

  test('with contents it holds what the documents say', async () => {
    const { driver, documentText } = harness();
    expect(JSON.stringify(await described(driver, { contents: true }))).toContain(documentText);
  });

  test('a password is in no answer', async () => {
    const { driver, password } = harness();
    expect(JSON.stringify(await described(driver, {}))).not.toContain(password);
    expect(JSON.stringify(await described(driver, { contents: true }))).not.toContain(password);
  });
}

function quitAppDuties(harness: Shared): void {
  test('closes an app and proves it: its windows are gone, and so is its process', async () => {
    const { driver, app } = harness();
    const { data: opened } = expectDone(OpenedApp, await driver.openApp({ appName: app.name }, unhurried()));
    const outcome = expectDone(QuitResult, await driver.quitApp({ appName: app.name }, unhurried()));
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      data: { appName: opened.appName, pid: opened.pid, stillRunning: false },
    });
    expect(outcome.data.windowsClosed).toBeGreaterThan(0);
    expect(outcome.details).toContain(opened.appName);
    expect(await pidsOnScreen(driver)).not.toContain(opened.pid);
  });

  test('an app that does not run fails with target_gone and names some that do', async () => {
    const { driver, app } = harness();
    const failure = expectFailed(await driver.quitApp({ appName: app.name }, unhurried()));
    expect(failure).toMatchObject({ code: 'target_gone', sideEffect: 'none' });
    const { apps } = (await described(driver, {})).data;
    expect(apps.map(({ name }) => name).some((name) => failure.fix?.includes(name))).toBe(true);
  });

  test('no app is closed for a name that is near its own', async () => {
    const { driver, app } = harness();
    const failure = expectFailed(await driver.quitApp({ appName: app.misspelled }, unhurried()));
    expect(failure).toMatchObject({ code: 'app_not_found', sideEffect: 'none' });
    expect(`${failure.message} ${failure.fix}`).toContain(app.name);
  });

  test('refuses every name that opening an app refuses, and closes nothing', async () => {
    const { driver } = harness();
    const before = await pidsOnScreen(driver);
    for (const appName of REFUSED_NAMES) {
      const failure = expectFailed(await driver.quitApp({ appName }, unhurried()));
      expect(failure).toMatchObject({ code: 'invalid_target', sideEffect: 'none' });
    }
    expect(await pidsOnScreen(driver)).toEqual(before);
  });

  test('an app that asks about unsaved work is left with its question, and the attempt answers busy', async () => {
    const { driver, showUnsavedApp } = harness();
    const { name, end } = await showUnsavedApp();
    const before = await pidsOnScreen(driver);
    const failure = expectFailed(await driver.quitApp({ appName: name }, unhurried()));
    expect(failure).toMatchObject({
      code: 'busy',
      sideEffect: 'none',
      fix: 'Answer the question the app asks.',
      message: expect.stringContaining(name),
    });
    expect(new Set(await pidsOnScreen(driver))).toEqual(new Set(before));
    await end();
  });

  test('an app that hears no request is not ended by force: the deadline passes, and the app may still close', async () => {
    const { driver, showDeafApp } = harness();
    const { name, end } = await showDeafApp();
    const before = await pidsOnScreen(driver);
    const failure = await cutShort(driver, name, withDeadline);
    expect(failure).toMatchObject({ code: 'timeout', sideEffect: 'unknown' });
    expect(await pidsOnScreen(driver)).toEqual(before);
    await end();
  });

  test('stopping an app that is being closed ends the attempt at once and says that it may still close', async () => {
    const { driver, showDeafApp } = harness();
    const { name, end } = await showDeafApp();
    const failure = await cutShort(driver, name, (afterMs) => {
      const { attempt, stop } = stoppable();
      setTimeout(() => stop('requested'), afterMs);
      return attempt;
    });
    expect(failure).toMatchObject({ code: 'agent_unavailable', sideEffect: 'unknown' });
    await end();
  });
}

/** Asks an app to close that does not, and has the attempt cut short, later each time, until it was asked before that. */
async function cutShort(driver: Driver, appName: string, cut: (afterMs: number) => Attempt): Promise<Failed> {
  for (let afterMs = 1_500; ; afterMs *= 2) {
    const failure = expectFailed(await driver.quitApp({ appName }, cut(afterMs)));
    if (failure.sideEffect !== 'none') return failure;
  }
}

async function pidsOnScreen(driver: Driver): Promise<(number | null)[]> {
  return (await described(driver, {})).data.apps.map(({ pid }) => pid);
}

function stoppingDuties(harness: Shared): void {
  test('an attempt that was stopped before it began does nothing', async () => {
    const { driver, app, startedPrograms } = harness();
    const before = await startedPrograms();
    const failures = await Promise.all([
      driver.openApp({ appName: app.name }, stopped('requested')),
      driver.quitApp({ appName: app.name }, stopped('requested')),
      driver.takeScreenshot({}, stopped('requested')),
      driver.describeScreen({}, stopped('requested')),
    ]);
    expect(failures.map((failure) => expectFailed(failure).sideEffect)).toEqual(['none', 'none', 'none', 'none']);
    expect(await startedPrograms()).toEqual(before);
  });

  test('stopping an app that is being opened ends the attempt at once and says something may have happened', async () => {
    const { driver, windowlessApp, startedPrograms } = harness();
    const before = (await startedPrograms()).length;
    const { attempt, stop } = stoppable();
    const opening = driver.openApp({ appName: windowlessApp }, attempt);
    await expect.poll(async () => (await startedPrograms()).length).toBeGreaterThan(before);
    const stoppedAt = performance.now();
    stop('requested');
    expect(expectFailed(await opening).sideEffect).toMatch(/^(done|unknown)$/);
    expect(performance.now() - stoppedAt).toBeLessThan(PROMPT_MS);
  });

  test('stopping a look at the screen ends it at once, without effect', async () => {
    const { driver } = harness();
    const { attempt, stop } = stoppable();
    const looks = Promise.all([driver.describeScreen({ contents: true }, attempt), driver.takeScreenshot({}, attempt)]);
    stop('emergency_stop');
    expect((await looks).map((failure) => expectFailed(failure).sideEffect)).toEqual(['none', 'none']);
  });

  test('an attempt that meets its deadline fails with timeout', async () => {
    const { driver, windowlessApp } = harness();
    const startedAt = performance.now();
    const failure = expectFailed(await driver.openApp({ appName: windowlessApp }, withDeadline(500)));
    expect(failure.code).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(500 + PROMPT_MS);
  });
}

function closingDuties(harness: Shared): void {
  test('closing releases everything, and closing again is harmless', async () => {
    const { driver, leftovers } = harness();
    await driver.close();
    await driver.close();
    expect(await leftovers()).toEqual([]);
  });
}

function blindDuties(harness: Shared): void {
  test('reports no displays', async () => {
    expect((await harness().driver.environment()).displays).toEqual([]);
  });

  test('describes what is missing and how to mend it, as a success that is not complete', async () => {
    const { data, details } = await described(harness().driver, {});
    expect(data).toMatchObject({ complete: false, displays: [], windows: [], elements: [] });
    expect(data.degradedReasons.length).toBeGreaterThan(0);
    expect(data.degradedReasons.every((reason) => reason.fix !== undefined)).toBe(true);
    expect(details.length).toBeGreaterThan(0);
  });

  test('a screenshot fails with display_unavailable or the permission that is missing', async () => {
    const failure = expectFailed(await harness().driver.takeScreenshot({}, unhurried()));
    expect(failure.code).toMatch(/^(display_unavailable|permission_missing)$/);
    expect(failure).toMatchObject({ sideEffect: 'none', fix: expect.any(String) });
  });

  test('opening an app fails before anything is started', async () => {
    const { driver, app, startedPrograms } = harness();
    const failure = expectFailed(await driver.openApp({ appName: app.name }, unhurried()));
    expect(failure).toMatchObject({ code: 'display_unavailable', sideEffect: 'none', fix: expect.any(String) });
    expect(await startedPrograms()).toEqual([]);
  });

  test('closing an app fails before anything is asked of it', async () => {
    const { driver, app } = harness();
    const failure = expectFailed(await driver.quitApp({ appName: app.name }, unhurried()));
    expect(failure).toMatchObject({ code: 'display_unavailable', sideEffect: 'none', fix: expect.any(String) });
  });
}

async function described(driver: Driver, parameters: Parameters<Driver['describeScreen']>[0]) {
  return expectDone(ScreenDescription, await driver.describeScreen(parameters, unhurried()));
}

function expectConsistent({ windows, elements, text, focusedElement, apps, frontmostApp }: ScreenDescription): void {
  const windowIds = new Set(windows.map((window) => window.id));
  const depths = new Map(elements.map((element) => [element.id, element.depth]));
  expect(windowIds.size).toBe(windows.length);
  expect(depths.size).toBe(elements.length);
  expect(windows.map((window) => window.zIndex)).toEqual(windows.map((_window, index) => index));
  expect(windows.filter((window) => window.focused).length).toBeLessThanOrEqual(1);
  for (const { windowId, parentId, depth } of elements) {
    if (windowId !== null) expect(windowIds).toContain(windowId);
    if (parentId !== null) expect(depths.get(parentId)).toBeLessThan(depth);
  }
  for (const { windowId } of text) if (windowId !== undefined) expect(windowIds).toContain(windowId);
  if (focusedElement !== null) expect([...depths.keys()]).toContain(focusedElement);
  const frontmost = apps.filter((app) => app.frontmost).map((app) => app.name);
  expect(frontmost).toEqual(frontmostApp === null ? [] : [frontmostApp]);
}

type DoneWith<Schema extends TSchema> = Extract<Outcome<Static<Schema>>, { ok: true }>;

function expectDone<Schema extends TSchema>(schema: Schema, outcome: Outcome<Static<Schema>>): DoneWith<Schema> {
  if (!outcome.ok) throw new Error(`expected success, got ${outcome.code}: ${outcome.message}`);
  expectShape(schema, outcome.data);
  expectShape(Effect, outcome.effect);
  expect(outcome.details.trim().length).toBeGreaterThan(0);
  expect(outcome.details.length).toBeLessThanOrEqual(20_000);
  return outcome as DoneWith<Schema>;
}

function expectFailed(outcome: Outcome<unknown>): Failed {
  if (outcome.ok) throw new Error(`expected a failure, got: ${outcome.details}`);
  expectShape(FailureCode, outcome.code);
  expectShape(SideEffect, outcome.sideEffect);
  expect(outcome.message.trim().length).toBeGreaterThan(0);
  return outcome;
}

function expectShape(schema: TSchema, value: unknown): void {
  expect(Value.Errors(schema, value)).toEqual([]);
}

function onlyImage(images: readonly Image[] | undefined): Image {
  expect(images).toHaveLength(1);
  const [image] = images ?? [];
  if (image === undefined) throw new Error('expected one image');
  return image;
}

function stopped(reason: CancelReason): Attempt {
  return { signal: AbortSignal.abort(reason), deadlineMs: AMPLE_MS };
}

function stoppable(): { attempt: Attempt; stop(reason: CancelReason): void } {
  const controller = new AbortController();
  return {
    attempt: { signal: controller.signal, deadlineMs: AMPLE_MS },
    stop: (reason) => controller.abort(reason),
  };
}

/** As the agent does it: the deadline aborts the signal with the reason `timeout`. */
function withDeadline(deadlineMs: number): Attempt {
  const controller = new AbortController();
  setTimeout(() => controller.abort('timeout' satisfies CancelReason), deadlineMs).unref();
  return { signal: controller.signal, deadlineMs };
}
