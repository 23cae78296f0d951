import { OpenUrlParameters } from '../../../contract/hands.ts';
import type { ResolvedApp } from '../../../contract/screen.ts';
import type { Target, TargetReference } from '../../../contract/targets.ts';
import { siteOf, webAddress } from '../../../contract/web-address.ts';
import { criticalLabel } from '../../critical-controls.ts';
import { assessRisk } from '../../risk.ts';
import { secretInText } from '../../secret-text.ts';
import { defineAction } from '../definition.ts';
import { done } from '../done.ts';
import { quoted, shortened } from '../window-words.ts';
import { appFacts, appObjection } from './control-target.ts';

export const openUrl = defineAction({
  name: 'OpenUrl',
  summary: 'Opens an address in the browser or the mail program',
  capability: 'canOpenApps',
  effectClass: 'once',
  baseRisk: 'medium',
  isUsual: true,
  reachesOut: true,
  parameters: OpenUrlParameters,
  targets: ({ url }) => openerReference(url),
  faults({ url }) {
    const address = webAddress(url);
    return 'fault' in address ? [{ pointer: '/url', message: address.fault }] : [];
  },
  assess({ url }, { targets }) {
    const address = webAddress(url);
    const shown = 'fault' in address ? url : address.shown;
    const { host } = URL.parse(url) ?? { host: '' };
    const secret = secretInText(url);
    const opener = openerIn(targets);
    return {
      risk: assessRisk(
        { level: 'medium', reason: 'A page learns that you opened it, and the address may carry data.' },
        [
          ...(secret === undefined ? [] : [{ level: 'high' as const, reason: `The address seems to hold ${secret}.` }]),
          ...(opener?.risks ?? []),
        ],
      ),
      capability: 'canOpenApps',
      sentence: `Open ${quoted(shown)}${opener === undefined ? '' : ` with ${quoted(shortened(opener.appName))}`}`,
      ...done(host === '' ? shown : host, 'visited', shown),
      target: shown,
      denialTarget: host === '' ? shown : host,
      apps: [],
      ...(opener !== undefined && openerFacts(opener, url)),
      paths: [],
      onSite: siteOf(url) !== undefined, // guard N43-1
      onceOnly: true,
      changes: 'Opens a page. A page that was asked for something cannot be asked to forget it.',
    };
  },
});

/** Which app opens a mail address is not looked up: it always asks. */
function openerReference(url: string): TargetReference[] {
  const address = webAddress(url);
  return 'fault' in address || address.scheme === 'mailto' ? [] : [{ kind: 'opener', scheme: address.scheme }];
}

function openerIn(targets: readonly Target[] = []): ResolvedApp | undefined {
  return targets.flatMap((target) => (target.kind === 'opener' ? (target.app ?? []) : []))[0];
}

/** The longest address that opens within access: the person does not read it, and a long one can carry more data away. */
export const LONGEST_PLAIN_ADDRESS = 200;

/**
 * Whether an address may be opened without a question on a site that the person gave access to: it is short, and its words name nothing that
 * sends, pays, deletes, allows, signs in or shares, and no secret, since a page may do so as soon as it is opened.
 */
export function isPlainAddress(text: string): boolean {
  const address = webAddress(text);
  if ('fault' in address || address.scheme === 'mailto' || address.url.length > LONGEST_PLAIN_ADDRESS) return false;
  const { pathname, search, hash } = new URL(address.url);
  return isHarmless(`${pathname}${search}${hash}`);
}

function isHarmless(rest: string): boolean {
  const text = decodedOnce(rest);
  // An address that is still encoded hides its words.
  if (text === undefined || text.includes('%') || NAMES_A_SECRET.test(text)) return false;
  // Some words are critical only alone, so each part is read as a label too.
  return [text, ...text.split(/[/?&=#;]/u)].every((words) => criticalLabel(words) === undefined);
}

/** A value of such a name signs in, whatever it looks like. */
const NAMES_A_SECRET =
  /(?:^|[?&#;/])[\w.-]{0,40}(?:token|passw|passcode|pwd|secret|api_?key|auth(?!or)|session|otp|credential)[\w.-]{0,40}=/iu;

function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The names of the app are for rules that ask or block. One that allows the app was not made for addresses, and does not hold for them. */
function openerFacts(app: ResolvedApp, url: string) {
  const { alsoNamed, sensitive } = appFacts(app);
  const forbidden = appObjection(app);
  const site = siteOf(url);
  // Opening an app that shows any risk asks, so opening an address with it asks too.
  const isWithinAccess = app.risks.every(({ level }) => level === 'low') && isPlainAddress(url); // guard N18-1
  return {
    alsoNamed: [app.appName, ...alsoNamed],
    sensitive,
    ...(isWithinAccess && site !== undefined && { access: { use: 'input' as const, app, sites: [site] } }),
    forbidden,
  };
}
