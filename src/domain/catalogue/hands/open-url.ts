import { OpenUrlParameters } from '../../../contract/hands.ts';
import type { ResolvedApp } from '../../../contract/screen.ts';
import type { Target, TargetReference } from '../../../contract/targets.ts';
import { siteOf, webAddress } from '../../../contract/web-address.ts';
import { isPlainAddress } from '../../plain-address.ts';
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
      onSite: siteOf(url) !== undefined,
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

/** The names of the app are for rules that ask or block. One that allows the app was not made for addresses, and does not hold for them. */
function openerFacts(app: ResolvedApp, url: string) {
  const { alsoNamed, sensitive } = appFacts(app);
  const forbidden = appObjection(app);
  const site = siteOf(url);
  // Opening an app that shows any risk asks, so opening an address with it asks too.
  const isWithinAccess = app.risks.every(({ level }) => level === 'low') && isPlainAddress(url);
  return {
    alsoNamed: [app.appName, ...alsoNamed],
    sensitive,
    ...(isWithinAccess && site !== undefined && { access: { use: 'input' as const, app, sites: [site] } }),
    forbidden,
  };
}
