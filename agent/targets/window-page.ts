import type { ResolveWindowParameters } from '../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import { isBrowser, siteOf } from '../../src/contract/web-address.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';

/** A window as it is now, and of a browser the page that it shows. */
export async function windowWithPage(
  driver: Driver,
  wish: ResolveWindowParameters,
  attempt: Attempt,
): Promise<Outcome<ResolvedWindow>> {
  const found = await driver.resolveWindow(wish, attempt);
  if (!found.ok || found.data.identity === undefined || !isBrowser(found.data.identity)) return found;
  const page = await driver.input().page({ windowId: found.data.id }, attempt);
  return { ...found, data: { ...found.data, page: page.slice(0, LONGEST_PAGE).toWellFormed() } };
}

const LONGEST_PAGE = 2_000;

/** Why a window may not be looked at, if it shows a page of another site than the one that was judged. */
export function refuseOtherSite(judged: ResolvedWindow, now: ResolvedWindow): Failed | null {
  return siteOf(judged.page ?? '') === siteOf(now.page ?? '') ? null : OTHER_SITE;
}

const OTHER_SITE: Failed = {
  ok: false,
  code: 'target_changed',
  message: 'The window shows a page of another site than the one that was judged. Nothing of it is told.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};
