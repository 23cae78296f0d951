import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import type { App } from '../../src/http/app.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createFakeServices } from '../http/fake-services.ts';
import { ONE_USE_CODE } from '../http/fake-sessions.ts';
import { knowsNoProgram, servesEverybody } from '../http/serves-everybody.ts';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';
import { createScriptedConsole } from './scripted-console.ts';
import type { ScriptedConsole } from './scripted-daemon.ts';

export const PANEL = { width: 420, height: 600 };
export const WINDOW = { width: 1280, height: 800 };

export type PageRig = {
  page: Page;
  daemon: ScriptedConsole;
  url: string;
  /** The `Last-Event-ID` of each time the page asked for the stream of events. */
  positions: (string | undefined)[];
  /** Stops the daemon's HTTP, as a restart does; `start` brings it back on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export type PageOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'deviceScaleFactor' | 'colorScheme' | 'reducedMotion'
> & {
  /** `none`: a daemon that has no event stream. */
  stream?: 'live' | 'none';
};

/** One Chromium for the tests of a file, its headless shell unless another is named, and the page built. Returns functions that open pages in it. */
export function usePages(executablePath: string = HEADLESS_SHELL) {
  let browser: Browser | undefined;
  beforeAll(async () => {
    buildPageIfNeeded();
    browser = await chromium.launch({ executablePath, args: QUIET });
  });
  afterAll(() => browser?.close());
  const openPage = (options: PageOptions = {}) => {
    if (browser === undefined) throw new Error('pages open in tests only, when Chromium is up');
    return openPageIn(browser, options);
  };
  const openBlank = async (options: PageOptions = {}): Promise<PageRig> => {
    const daemon = createScriptedConsole();
    const server = await openServer(daemon);
    onTestFinished(server.stop);
    return { ...(await openPage(options)), daemon, ...server };
  };
  return {
    /** A blank page in a context of its own. A complaint of the browser while it is open fails the test. */
    openPage,
    /** The same, beside a scripted daemon to visit. */
    openBlank,
    /** The dashboard of a scripted daemon, signed in. */
    async openDashboard(options: PageOptions = {}): Promise<PageRig> {
      const rig = await openBlank(options);
      await rig.page.goto(rig.url);
      await typeCode(rig.page, ONE_USE_CODE);
      await rig.page.getByText('No requests waiting').waitFor();
      return rig;
    },
  };
}

/** Signs in as a person does: types the code and presses Return. */
export async function typeCode(page: Page, code: string): Promise<void> {
  const field = page.getByLabel('One-use code');
  await field.fill(code);
  await field.press('Enter');
}

async function openPageIn(browser: Browser, { stream = 'live', ...options }: PageOptions) {
  const context = await browser.newContext({ viewport: PANEL, ...options });
  const page = await context.newPage();
  const complaints = listenForComplaints(page);
  const positions: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/console/events')) positions.push(request.headers()['last-event-id']);
  });
  if (stream === 'none')
    await page.route('**/api/console/events', (route) => route.fulfill({ status: 404, ...NO_STREAM }));
  onTestFinished(async () => {
    // A call that is still under way ends with the page; that is no fault of the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    expect(complaints).toEqual([]);
  });
  return { page, positions };
}

/**
 * Complaints of the browser: uncaught errors, and every line on its console, such as violations of the policy. It also
 * prints a line for each refused call, which tests cause on purpose; a missing part of the page is our fault.
 */
function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isNote = message.text().startsWith('Failed to load resource');
    if (!isNote) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/api/')) complaints.push(`${pathname}: ${response.status()}`);
  });
  return complaints;
}

async function openServer(daemon: ScriptedConsole) {
  let port = 0;
  let app: App | undefined;
  const fake = createFakeServices();
  const start = async () => {
    const created = await createHttpServer({
      services: {
        ...fake,
        console: daemon,
        events: daemon.events,
        guardian: { ...fake.guardian, acknowledge: daemon.acknowledge },
      },
      agentDoor: { admit: () => 'invalid', attach: () => undefined },
      peerGate: servesEverybody,
      findProgram: knowsNoProgram,
      rateLimits: 'on',
      log: { info: ignore, warn: ignore, error: console.error },
    });
    port = await listen(created, port);
    app = created;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    async stop() {
      await app?.close();
      app = undefined;
    },
  };
}

const NO_STREAM = {
  contentType: 'application/problem+json',
  body: JSON.stringify({ code: 'not_found', detail: 'Nothing is here.' }),
};

const ignore = () => undefined;
