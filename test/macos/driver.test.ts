import sharp from 'sharp';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createMacosDriver } from '../../agent/drivers/macos/driver.ts';
import type { Permissions } from '../../src/contract/device.ts';
import { ScreenDescription, ScreenshotData } from '../../src/contract/screen.ts';
import { describeDriver } from '../agent/driver-contract.ts';
import { makeThisMac } from './contract-harness.ts';
import { done, failed, openDocument, unhurried } from './mac.ts';

/**
 * The macOS driver on a real Mac. Where a permission has not been granted to the terminal that runs the tests, they prove
 * that the driver says so, instead of what it would do with it.
 */

const TEXT = 'Handrail was here on a Mac, 4711';

let driver: Driver;
let permissions: Permissions;
let document: { close(): void };

beforeAll(async () => {
  driver = createMacosDriver();
  document = openDocument(TEXT);
  ({ permissions } = await driver.environment());
});
afterAll(async () => {
  await driver.close();
  document.close();
});

/** Assumed without a Mac: how NSScreen counts real displays, notches and scaled modes. */
test('tells at least one display, of which one is the main one', async () => {
  const { displays } = await driver.environment();
  expect(displays.filter((display) => display.primary)).toHaveLength(1);
  expect(displays.every((display) => display.bounds.width > 0 && display.scale >= 1)).toBe(true);
});

/** Assumed without a Mac: that an agent in the background may bring an app to the front through `open`, and how fast windows appear. */
test('OpenApp brings TextEdit to the front and proves it with a process and a window', async () => {
  const outcome = done(await driver.openApp({ appName: 'TextEdit' }, unhurried));
  expect(outcome).toMatchObject({
    effect: 'confirmed',
    data: { bundleId: 'com.apple.TextEdit', alreadyRunning: true, frontmost: true },
  });
  expect(outcome.data.pid).toBeGreaterThan(0);
});

/** Assumed without a Mac: what a starting app looks like to NSWorkspace before it has a window. */
test('OpenApp starts an app that does not run', async () => {
  const outcome = done(await driver.openApp({ appName: 'com.apple.calculator' }, unhurried));
  expect(outcome).toMatchObject({ effect: 'confirmed', data: { bundleId: 'com.apple.calculator' } });
});

/** Assumed without a Mac: that LaunchServices does not guess at names. */
test('OpenApp knows no app of a misspelled name and suggests the right one', async () => {
  const failure = failed(await driver.openApp({ appName: 'TextEdti' }, unhurried));
  expect(failure).toMatchObject({ code: 'app_not_found', sideEffect: 'none' });
  expect(failure.fix).toContain('TextEdit');
});

/** Assumed without a Mac: that `terminate` needs no permission, and how soon a process that ended leaves the list of NSWorkspace. */
test('QuitApp asks an app to quit, and its process ends', async () => {
  const { data: opened } = done(await driver.openApp({ appName: 'com.apple.calculator' }, unhurried));
  expect(done(await driver.quitApp({ appName: 'com.apple.calculator' }, unhurried))).toMatchObject({
    effect: 'confirmed',
    data: { bundleId: 'com.apple.calculator', pid: opened.pid, stillRunning: false },
  });
  expect(() => process.kill(Number(opened.pid), 0)).toThrow('ESRCH');
});

/** Assumed without a Mac: where this version of macOS keeps the apps that are parts of itself. */
test('QuitApp asks nothing of the Dock', async () => {
  const failure = failed(await driver.quitApp({ appName: 'com.apple.dock' }, unhurried));
  expect(failure).toMatchObject({ code: 'invalid_target', sideEffect: 'none' });
});

/** Assumed without a Mac: pixels of a real display, and whether macOS tells the truth about the permission. */
test('TakeScreenshot gives the main display in physical pixels, or says that Screen Recording is missing', async () => {
  const outcome = await driver.takeScreenshot({}, unhurried);
  if (permissions.screenRecording !== 'granted') return expectMissing(outcome, 'Privacy_ScreenCapture');
  const { data, images } = done(outcome);
  expect(Value.Errors(ScreenshotData, data)).toEqual([]);
  const { width, height } = await sharp(images?.[0]?.bytes).metadata();
  expect({ width, height }).toEqual({ width: data.width, height: data.height });
  const main = data.displays.find((display) => display.primary);
  expect(width).toBe(Math.round((main?.bounds.width ?? 0) * (main?.scale ?? 0)));
});

/** Assumed without a Mac: that `screencapture -R` takes negative coordinates and captures other displays at their own scale. */
test('TakeScreenshot gives each display, a region and a window at their own places and sizes', async () => {
  const { displays } = await driver.environment();
  const { windows } = done(await driver.describeScreen({}, unhurried)).data;
  const region = { x: 10, y: 40, width: 200, height: 100 };
  const wishes = [...displays.map(({ id }) => ({ display: id })), { region }, { windowId: windows[0]?.id ?? '' }];
  for (const wish of wishes) {
    const outcome = await driver.takeScreenshot(wish, unhurried);
    if (permissions.screenRecording !== 'granted') expectMissing(outcome, 'Privacy_ScreenCapture');
    else
      expect(done(outcome).data.height).toBe(Math.round(done(outcome).data.bounds.height * done(outcome).data.scale));
  }
});

/** Assumed without a Mac: the order and the layers of real windows. */
test('DescribeScreen tells TextEdit in front with its document', async () => {
  await driver.openApp({ appName: 'TextEdit' }, unhurried);
  const { data, details } = done(await driver.describeScreen({}, unhurried));
  expect(Value.Errors(ScreenDescription, data)).toEqual([]);
  expect(data.frontmostApp).toBe('TextEdit');
  expect(data.windows.find((window) => window.focused)?.app).toBe('TextEdit');
  expect(details).toContain('TextEdit is in front');
  expect(JSON.stringify(data)).not.toContain(TEXT);
});

/** Assumed without a Mac: real accessibility trees: which roles, labels and values the apps of Apple and of others give. */
test('DescribeScreen tells controls and, with contents, the text, or says that Accessibility is missing', async () => {
  const { data } = done(await driver.describeScreen({ contents: true }, unhurried));
  if (permissions.accessibility !== 'granted') {
    expect(data.degradedReasons.map(({ fix }) => fix).join()).toContain('Privacy_Accessibility');
    return;
  }
  expect(data.elements.filter((element) => element.role === 'menuitem').length).toBeGreaterThan(3);
  expect(data.elements.map((element) => element.value)).toContain(TEXT);
  expect(data.elements.every((element) => element.role !== '')).toBe(true);
});

/** Assumed without a Mac: the suite of every driver with real apps, a real password field and a real document. */
describeDriver('macOS (real)', makeThisMac);

function expectMissing(outcome: Awaited<ReturnType<Driver['takeScreenshot']>>, pane: string): void {
  expect(failed(outcome)).toMatchObject({ code: 'permission_missing', sideEffect: 'none' });
  expect(failed(outcome).fix).toContain(pane);
}
