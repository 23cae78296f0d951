import { chromium } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { QUIET } from '../browser/chromium.ts';

/** The dashboard in a real browser, where the person sees prompts. */
export type Screen = {
  /** Resolves when a prompt of this requester is drawn: whole as the first one, or as a row of the queue. */
  drawn(userId: string): Promise<void>;
  close(): Promise<void>;
};

export type OpenScreen = (daemon: { base: string }, key: string) => Promise<Screen>;

/** A browser in which dashboards are opened, each in a profile of its own. */
export async function startScreens(): Promise<{ open: OpenScreen; close(): Promise<void> }> {
  buildPageIfNeeded();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: QUIET });
  return {
    async open({ base }, key) {
      const context = await browser.newContext({ viewport: { width: 1_000, height: 800 } });
      await context.addInitScript(`sessionStorage.setItem('handrail-session', ${JSON.stringify(key)})`);
      const page = await context.newPage();
      await page.goto(base);
      await page.getByText('No requests waiting').waitFor();
      return {
        drawn: (userId) => page.getByText(userId, { exact: true }).first().waitFor(),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
