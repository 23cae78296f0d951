import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { onTestFinished } from 'vitest';

/** Where the page keeps the key of its session: in the storage of the tab. */
const SESSION_KEY = 'handrail-session';

/** The size and the wishes of its reader, which can be changed on an open page. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/** A page that tests of a file use one after another. */
export type KeptPage = {
  /** The key with which the page is signed in at this origin; undefined when the next `open` has to sign in. */
  session(origin: string): string | undefined;
  /** Whether a test uses the page now. */
  isTaken(): boolean;
  /**
   * The page at an address, loaded anew, as in a new tab that is signed in: nothing else is stored, nothing is pressed, nothing is
   * routed. `watch` is called before anything is loaded.
   */
  open(
    address: string,
    options: { look: Look; signIn(page: Page): Promise<void>; watch(page: Page): void },
  ): Promise<Page>;
  close(): Promise<void>;
};

type Kept = { context: BrowserContext; page: Page; session: string };

/** A new page costs several times the processor time of one that is loaded again, since its renderer compiles all scripts. */
export function createKeptPage(browser: () => Browser): KeptPage {
  let kept: Kept | undefined;
  let isTaken = false;

  const close = async () => {
    const closing = kept?.context.close();
    kept = undefined;
    await closing;
  };
  const giveBack = async (page: Page, hasFailed: boolean) => {
    isTaken = false;
    if (hasFailed || page.isClosed()) return close();
    // A call that is still under way ends with the page; that is no fault of the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const other of page.context().pages()) if (other !== page) await other.close();
  };

  return {
    session: (origin) => (isAt(kept, origin) ? kept?.session : undefined),
    isTaken: () => isTaken,
    close,
    async open(address, { look, signIn, watch }) {
      isTaken = true;
      if (!isAt(kept, new URL(address).origin)) await close();
      const page = kept?.page ?? (await (await browser().newContext(look)).newPage());
      watch(page);
      onTestFinished(({ task }) => giveBack(page, task.result?.state === 'fail'));
      if (kept === undefined) {
        await page.goto(address);
        await signIn(page);
        await page.waitForFunction((name) => sessionStorage.getItem(name) !== null, SESSION_KEY);
        const session = await page.evaluate(`sessionStorage.getItem('${SESSION_KEY}')`);
        kept = { context: page.context(), page, session: String(session) };
      } else {
        await makeLike(page, look);
        await page.evaluate(asNew(address, kept.session));
        await page.reload();
      }
      return page;
    },
  };
}

function isAt(kept: Kept | undefined, origin: string): boolean {
  return kept !== undefined && !kept.page.isClosed() && new URL(kept.page.url()).origin === origin;
}

async function makeLike(page: Page, { viewport, colorScheme = 'light', reducedMotion = 'no-preference' }: Look) {
  await page.mouse.move(0, 0);
  await page.mouse.up();
  if (viewport !== undefined && viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion, contrast: 'no-preference', forcedColors: 'none' });
}

/** Runs in the page. */
const asNew = (address: string, session: string) => `
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem('${SESSION_KEY}', ${JSON.stringify(session)});
  history.replaceState(null, '', ${JSON.stringify(address)});
`;
