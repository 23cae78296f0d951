import type { KeyChord } from '../../../contract/key-chords.ts';
import type { Control, ResolvedApp } from '../../../contract/screen.ts';
import { isBrowser, siteOf } from '../../../contract/web-address.ts';
import type { RiskRule } from '../../risk.ts';
import type { Assessment } from '../definition.ts';

/**
 * The access within which input reaches a control. In a browser it is a place in documents of known sites, and an access to each of them is
 * needed. What is around the page is the browser's own, and no access covers it.
 */
export function accessAt({ app, documents = [] }: Control): Assessment['access'] {
  const told = documents.filter((address, index) => !(TAKES_AFTER.test(address) && index < documents.length - 1));
  const sites = told.map(siteOf);
  const known = [...new Set(sites.filter((site) => site !== undefined))];
  if (isBrowser(app) && (known.length === 0 || sites.includes(undefined))) return undefined;
  return { use: 'input', app, ...(known.length > 0 && { sites: known }) };
}

/** Whether input there acts on a site, of which the person may have given no access. */
export function isOnSite({ documents = [] }: Control): boolean {
  return documents.some((address) => siteOf(address) !== undefined);
}

/** Such a document has the rights of the one around it. */
const TAKES_AFTER = /^about:(?:blank|srcdoc)$/u;

/** The access within which input reaches a window or its menus. Those of a browser are of no site. */
export function accessToWindow(app: ResolvedApp): Assessment['access'] {
  return isBrowser(app) ? undefined : { use: 'input', app };
}

/** Around the pages a browser opens any address, runs scripts and changes itself. */
export function siteRules(control: Control): RiskRule[] {
  return isBrowser(control.app) && accessAt(control) === undefined ? [OF_NO_SITE] : [];
}

/** The same for the menus of a window. */
export function menuOfBrowserRules(app: ResolvedApp): RiskRule[] {
  return isBrowser(app) ? [OF_NO_SITE] : [];
}

const OF_NO_SITE: RiskRule = {
  level: 'high',
  reason: 'It is not in a page of a known site: it may be of the browser itself, or of a file.',
};

/** Why no profile lets input reach a page, if so: on it a browser can be turned against the person. */
export function pageObjection({ app, documents = [] }: Control): string | undefined {
  if (!isBrowser(app) || !documents.some((address) => UNDERNEATH.test(address))) return undefined;
  return 'The page is for extensions, experiments or developer tools of the browser. No input goes there.';
}

const UNDERNEATH =
  /^(?:view-source:)?(?:(?:chrome|edge|brave|opera|vivaldi)(?:-untrusted)?:\/\/(?:extensions?|flags|inspect|policy|devtools)\b|(?:chrome|moz|safari-web)-extension:|(?:chrome-)?devtools:|about:(?:addons|config|debugging|devtools|profiles|policies|flags|extensions)\b)/iu;

/** A chord that is known to act in the page, or to go back, forward or load it again. The others may be the browser's own. */
export function chordRulesOfBrowser({ modifiers, key }: KeyChord, control: Control | undefined): RiskRule[] {
  if (control === undefined || !isBrowser(control.app)) return [];
  const held = modifiers.filter((modifier) => modifier !== 'shift');
  const keys = modifiers.includes('shift') ? WITH_SHIFT : held[0] === 'alt' ? WITH_ALT : EDITS;
  const isOwnKey = /^f\d+$/u.test(key) ? key !== 'f5' : key === 'escape' && modifiers.includes('shift');
  const isOfPage = held.length === 0 ? !isOwnKey : held.length === 1 && keys.has(key);
  return isOfPage ? [] : [OF_BROWSER];
}

const ARROWS = ['up', 'down', 'left', 'right'];
const WITH_ALT: ReadonlySet<string> = new Set([...ARROWS, 'backspace']);
const WITH_SHIFT: ReadonlySet<string> = new Set([...ARROWS, 'home', 'end', 'z']);
const EDITS: ReadonlySet<string> = new Set([
  ...[...ARROWS, 'home', 'end', 'backspace'],
  ...['a', 'b', 'c', 'i', 'r', 'x', 'y', 'z'],
]);

const OF_BROWSER: RiskRule = {
  level: 'high',
  reason: 'The chord may be one of the browser itself, outside of the page.',
};
