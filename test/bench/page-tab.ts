import type { Browser, CDPSession, Page } from 'playwright';
import type { Console, RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';

export type PageBench = { browser: Browser; daemon: RunningDaemon; person: Console; report: Report };

/** A tab of a browser profile that has never opened the dashboard, in which the person is signed in. */
export async function freshTab({ browser, person }: PageBench): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  await context.addInitScript(signedIn(person));
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}

/** A script that signs the person in, for a page that has not begun. */
export function signedIn({ key }: Console): string {
  return `sessionStorage.setItem('handrail-session', ${JSON.stringify(key)});`;
}
