import type { Page } from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Console, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Look } from './kept-page.ts';
import { type PageOptions, typeCode, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

type Started = { daemon: RunningDaemon; person: Console };

/**
 * One real daemon and one page for the tests of a file that do not need their own. A test gets the name of a requester of its own, so
 * that no answer in one test is the third denial of another. At the end of a test, all waiting requests are denied.
 */
export function useRealDaemon(environment: Record<string, string> = {}, dataDirectory?: () => string) {
  const pages = usePages();
  let started: Started | undefined;
  let count = 0;
  beforeAll(async () => {
    const variables = { HANDRAIL_AGENT_DRIVER: 'fake', ...environment };
    const daemon = await startDaemonProcess(variables, dataDirectory?.());
    started = { daemon, person: await daemon.signIn() };
  }, 300_000);
  afterAll(() => started?.daemon.stop());

  function current(): Started {
    if (started === undefined) throw new Error('the daemon is there in tests only');
    return started;
  }

  const newCode = () => current().person.newCode();
  const signIn = async (page: Page) => typeCode(page, await newCode());

  async function denyAll(): Promise<void> {
    const { prompts, call } = current().person;
    if ((await prompts()).length > 0) await call('/pause', { method: 'POST' });
    await call('/resume', { method: 'POST' });
  }

  return {
    ...pages,
    current,
    /** A code that signs in another page. */
    newCode,
    /** A daemon that the test may break, and a page in a context of its own, signed in with the code that the daemon printed. */
    async openOwn(options: PageOptions = {}) {
      const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', ...environment });
      onTestFinished(daemon.stop);
      const page = await pages.openSignedIn(daemon.base, daemon.signInCode, { viewport: WINDOW, ...options });
      return { daemon, page, ...handsOn(page) };
    },
    /** The page of the daemon, signed in and loaded anew, at a place such as `#/metrics`. */
    async openAt(place = '', look: Look = {}) {
      const { daemon } = current();
      const { page } = await pages.openKept(`${daemon.base}/${place}`, signIn, { viewport: WINDOW, ...look });
      onTestFinished(denyAll);
      count += 1;
      return { daemon, page, userId: `user-${count}`, ...handsOn(page) };
    },
  };
}
