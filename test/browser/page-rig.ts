import { type Browser, type ConsoleMessage, chromium, type Page, type Request, type Response } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { ONE_USE_CODE } from '../http/fake-sessions.ts';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';
import { createKeptPage, type Look } from './kept-page.ts';
import { handsOn } from './prompt-hands.ts';
import { createScriptedConsole } from './scripted-console.ts';
import type { ScriptedConsole } from './scripted-daemon.ts';
import { openScriptedSite, type ScriptedSite } from './scripted-site.ts';
import { browserOfWorker } from './worker-browser.ts';

export const PANEL = { width: 420, height: 600 };
export const WINDOW = { width: 1280, height: 800 };
/** Colours do not depend on the width, so each theme and each width is looked at once. */
export const LOOKS = [
  { colorScheme: 'light', viewport: WINDOW },
  { colorScheme: 'dark', viewport: PANEL },
] as const;

export type PageRig = Omit<ScriptedSite, 'serve'> &
  ReturnType<typeof handsOn> & {
    page: Page;
    daemon: ScriptedConsole;
    /** The `Last-Event-ID` of each time the page asked for the stream of events. */
    positions: (string | undefined)[];
  };

export type PageOptions = Look & {
  deviceScaleFactor?: number;
  /** `none`: a daemon that has no event stream. */
  stream?: 'live' | 'none';
};

/** The pages of the tests of a file, in the headless shell unless another browser is named. Returns functions that open them. */
export function usePages(executablePath: string = HEADLESS_SHELL) {
  const isShared = executablePath === HEADLESS_SHELL;
  let browser: Browser | undefined;
  let site: ScriptedSite | undefined;
  const current = () => {
    if (browser === undefined) throw new Error('pages open in tests only, when Chromium is up');
    return browser;
  };
  const kept = createKeptPage(current);
  beforeAll(async () => {
    buildPageIfNeeded();
    browser = isShared ? await browserOfWorker() : await chromium.launch({ executablePath, args: QUIET });
  });
  afterAll(async () => {
    await kept.close();
    await site?.stop();
    site = undefined;
    if (!isShared) await browser?.close();
  });

  const openPage = (options: PageOptions = {}) => openPageIn(current(), options);
  const openSignedIn = async (base: string, code: string, options: PageOptions = {}) => {
    const { page } = await openPage(options);
    await page.goto(base);
    await typeCode(page, code);
    await page.getByText('No requests waiting').waitFor();
    return page;
  };
  const openBlank = async (options: PageOptions = {}): Promise<PageRig> => {
    const daemon = createScriptedConsole();
    const own = await openScriptedSite(daemon);
    onTestFinished(own.stop);
    const opened = await openPage(options);
    return { ...opened, ...handsOn(opened.page), daemon, ...own };
  };
  const openOwnDashboard = async (options: PageOptions = {}): Promise<PageRig> => {
    const rig = await openBlank(options);
    await rig.page.goto(rig.url);
    await typeCode(rig.page, ONE_USE_CODE);
    await rig.page.getByText('No requests waiting').waitFor();
    return rig;
  };
  /** A page of a daemon that outlives the test, signed in. The tests of the file use it one after another. */
  const openKept = async (address: string, signIn: (page: Page) => Promise<void>, look: Look = {}) => {
    let watched: ReturnType<typeof watch> | undefined;
    const page = await kept.open(address, {
      look: { viewport: PANEL, ...look },
      signIn,
      watch(opened) {
        watched = watch(opened);
      },
    });
    return { page, positions: watched?.positions ?? [] };
  };
  return {
    /** A blank page in a context of its own. A complaint of the browser while it is open fails the test. */
    openPage,
    /** A page of a real daemon in a context of its own, signed in. */
    openSignedIn,
    /** The same, beside a scripted daemon to visit. */
    openBlank,
    openKept,
    /** The dashboard of a scripted daemon, signed in, in a context of its own. */
    openOwnDashboard,
    /** The dashboard of a scripted daemon, signed in. The daemon is the test's own; the page is one that the tests of the file share. */
    async openDashboard(look: Look = {}): Promise<PageRig> {
      if (kept.isTaken()) return openOwnDashboard(look);
      const daemon = createScriptedConsole(site && kept.session(site.url));
      site ??= await openScriptedSite(daemon);
      site.serve(daemon);
      await site.start();
      const opened = await openKept(site.url, (page) => typeCode(page, ONE_USE_CODE), look);
      await opened.page.getByText('No requests waiting').waitFor();
      return { ...opened, ...handsOn(opened.page), ...site, daemon };
    },
  };
}

/** By how much the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Signs in as a person does: types the code and presses Return. */
export async function typeCode(page: Page, code: string): Promise<void> {
  const field = page.getByLabel('One-use code');
  await field.fill(code);
  await field.press('Enter');
}

async function openPageIn(browser: Browser, { stream = 'live', ...options }: PageOptions) {
  const context = await browser.newContext({ viewport: PANEL, ...options });
  const page = await context.newPage();
  const { positions } = watch(page);
  if (stream === 'none')
    await page.route('**/api/console/events', (route) => route.fulfill({ status: 404, ...NO_STREAM }));
  onTestFinished(async () => {
    // A call that is still under way ends with the page; that is no fault of the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  return { page, positions };
}

/**
 * Fails the test if the browser complains on this page: of uncaught errors, and with every line on its console, such as violations of
 * the policy. It also prints a line for each refused call, which tests cause on purpose; a missing part of the page is our fault.
 */
function watch(page: Page) {
  // On a busy machine the page may take longer than Playwright waits by itself.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const positions: (string | undefined)[] = [];
  const onConsole = (message: ConsoleMessage) => {
    // The field of the one-use code is in no form, since the policy forbids sending one; Chromium advises otherwise.
    const isNote = /^(?:Failed to load resource|\[DOM\] Password field is not contained in a form)/u.test(
      message.text(),
    );
    if (!isNote) complaints.push(message.text());
  };
  const onError = (error: Error) => complaints.push(String(error));
  const onResponse = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith('/api/')) complaints.push(`${pathname}: ${response.status()}`);
  };
  const onRequest = (request: Request) => {
    if (request.url().endsWith('/api/console/events')) positions.push(request.headers()['last-event-id']);
  };
  page.on('console', onConsole).on('pageerror', onError).on('response', onResponse).on('request', onRequest);
  onTestFinished(() => {
    page.off('console', onConsole).off('pageerror', onError).off('response', onResponse).off('request', onRequest);
    expect(complaints).toEqual([]);
  });
  return { positions };
}

const NO_STREAM = {
  contentType: 'application/problem+json',
  body: JSON.stringify({ code: 'not_found', detail: 'Nothing is here.' }),
};
