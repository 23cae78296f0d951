import { hasTitleOfDashboard, showsDashboard } from '../../src/contract/own-window.ts';
import type { ResolveWindowParameters } from '../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import { isHandrail } from '../../src/contract/sensitive-apps.ts';
import { isBrowser, siteOf } from '../../src/contract/web-address.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Sighting } from '../drivers/input.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';

let ownPort: string | undefined;

/** The daemon says where it is; its page has the same port. */
export function noteOwnAddress(url: string): void {
  ownPort = URL.parse(url)?.port || undefined;
}

type OwnPlace = Pick<Sighting, 'app' | 'pid' | 'windowTitle' | 'documents' | 'pagesBeside'>;

/**
 * Whether input there would reach Handrail: its own windows, or its page in a browser. A name on the network may lead to the same page, so the
 * port decides. On another machine the page comes through a tunnel with any address, so the title does.
 */
export function isOwnPlace(sighting: OwnPlace, port = ownPort): boolean {
  const { app, pid, windowTitle, documents, pagesBeside } = sighting;
  const names = [app.appName, app.bundleId ?? '', ...app.alsoKnownAs];
  if (pid === process.pid || pid === process.ppid || names.some(isHandrail)) return true;
  const shown = [...documents, ...pagesBeside].filter((address) => address !== '');
  if (shown.some((url) => isOwnAddress(url, port))) return true;
  if (port !== undefined && shown.some(isDeveloperTools) && windowTitle.includes(`:${port}`)) return true;
  return shown.length === 0
    ? showsDashboard(windowTitle, names)
    : hasTitleOfDashboard(windowTitle) && (port === undefined || shown.some(isLocal));
}

type SeenWindow = { names: readonly string[]; pid: number | null; title: string };

/** Which documents of a window, by their addresses, are Handrail's own: nothing that is in them is told to anybody. */
export function ownAmong(window: SeenWindow, addresses: readonly string[]): boolean[] {
  return addresses.map((url) => isOwnPlace(placeIn(window, [url], isDeveloperTools(url) ? addresses : [])));
}

/** The same for a window that tells nothing of its documents. */
export function isOwnWindow(window: SeenWindow): boolean {
  return isOwnPlace(placeIn(window, [], []));
}

function placeIn(
  { names: [appName = '', ...alsoKnownAs], pid, title }: SeenWindow,
  documents: readonly string[],
  pagesBeside: readonly string[],
): OwnPlace {
  return { app: { appName, alsoKnownAs, risks: [] }, pid, windowTitle: title, documents, pagesBeside };
}

/** They act on the page beside them or, in a window of their own, on the one that its title names. */
export function isDeveloperTools(url: string): boolean {
  return /^(?:devtools|chrome-devtools|about:devtools|chrome:\/\/devtools)/u.test(url);
}

function isOwnAddress(url: string, port: string | undefined): boolean {
  return port !== undefined && addressOf(url)?.port === port;
}

/** A port that is not known: another daemon of this person may have started. */
function isLocal(url: string): boolean {
  return LOCAL.test(addressOf(url)?.hostname ?? '');
}

function addressOf(url: string): URL | null {
  return URL.parse(url.replace(/^(?:view-source|blob|filesystem):/u, ''));
}

const LOCAL = /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/u;

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
