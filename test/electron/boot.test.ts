import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { electronBinary } from '../../src/launch/electron-binary.cjs';
import { bundleApp } from '../../src/packaging/bundle-app.ts';
import { APP_FOLDER, ROOT } from '../../src/packaging/places.ts';
import { type Rig, startRig } from '../desktop/rig.ts';

/** The program of a packed app; without it the bundle runs on the Electron of `npm run get-electron`. */
const packed = process.env.HANDRAIL_PACKED_APP;

/** Chromium's sandbox refuses to work for root, as whom containers run. */
const FOR_ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const pictures = join(ROOT, 'dist/pictures');
const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-electron-'));
let app: ElectronApplication;
let page: Page;
let desktop: Rig | undefined;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  if (process.platform === 'linux' && process.env.DISPLAY === undefined) desktop = await startRig();
  if (packed === undefined) await bundleApp();
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  app = await electron.launch({
    executablePath: program(),
    args: [...(packed === undefined ? [APP_FOLDER] : []), ...FOR_ROOT],
    env: { ...environment, HANDRAIL_PORT: '0', HANDRAIL_DATA_DIR: join(dataDirectory, 'daemon') },
  });
  page = await app.firstWindow();
  await page.waitForLoadState();
});

afterAll(async () => {
  await app.close();
  await desktop?.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

function program(): string {
  const path = packed ?? electronBinary({ root: ROOT, platform: process.platform, environment: process.env });
  if (path === undefined) throw new Error('The binary of Electron is not here; `npm run get-electron` fetches it.');
  return path;
}

test('the app starts the daemon and shows its page, signed in', async () => {
  const base = new URL(page.url()).origin;
  const health: unknown = await (await fetch(`${base}/health`)).json();
  expect(health).toMatchObject({ status: 'ok' });
  await page.getByRole('main').waitFor();
  await page.screenshot({ path: join(pictures, `dashboard-${process.platform}-${process.arch}.png`) });
});

test('the agent runs and answers', async () => {
  const base = new URL(page.url()).origin;
  const agent = async () => Object(await (await fetch(`${base}/health`)).json()).checks?.agent;
  await expect.poll(agent, { timeout: 30_000 }).toBe('online');
});

test('the page is walled in: no Node, no foreign address, no second window', async () => {
  expect(await page.evaluate('[typeof process, typeof require, typeof module]')).toEqual(Array(3).fill('undefined'));
  const before = page.url();
  await page.evaluate("window.open('https://example.com/'); location.href = 'https://example.com/'; undefined");
  expect(app.windows()).toHaveLength(1);
  expect(page.url()).toBe(before);
});

test('a packed app says that it is packed and reads its archive', async () => {
  const facts = await app.evaluate(({ app: running }) => [running.isPackaged, running.getAppPath()]);
  expect(facts).toEqual(packed === undefined ? [false, APP_FOLDER] : [true, expect.stringMatching(/app\.asar$/)]);
});
