import { appNameObjection } from '../../../contract/app-name.ts';
import { RequestAccessParameters } from '../../../contract/hands.ts';
import type { ResolvedApp } from '../../../contract/screen.ts';
import { isHandrail } from '../../../contract/sensitive-apps.ts';
import type { Target, TargetReference } from '../../../contract/targets.ts';
import { minutesInWords } from '../../../contract/times.ts';
import { hasNameOfBrowser, isBrowser, siteObjection } from '../../../contract/web-address.ts';
import { showsOtherScreen } from '../../other-screens.ts';
import { assessRisk } from '../../risk.ts';
import { defineAction } from '../definition.ts';
import { quoted } from '../window-words.ts';
import { appFacts, HOLDS_DASHBOARD } from './control-target.ts';

export const requestAccess = defineAction({
  name: 'RequestAccess',
  summary: 'Asks the person once for clicks and keys in some apps, for a time',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'medium',
  hint: 'Call it before you act in an app. Controls that send, delete, pay… still ask.',
  isUsual: true,
  parameters: RequestAccessParameters,
  targets: ({ apps }) => apps.map((name): TargetReference => ({ kind: 'app', name })),
  faults: ({ apps, allow, sites }, { targets = [] }) => [
    ...apps.flatMap((name, index) => {
      const objection = appNameObjection(name);
      return objection === undefined
        ? []
        : [{ pointer: `/apps/${index}`, message: `expected the name of an app, and this ${objection}` }];
    }),
    ...(sites ?? []).flatMap((site, index) => {
      const message = siteObjection(site);
      return message === undefined ? [] : [{ pointer: `/sites/${index}`, message }];
    }),
    ...(allow === 'input' && sites === undefined && namesBrowser(apps, targets) ? [WITHOUT_SITES] : []), // guard N20-4
    ...(allow === 'look' && sites !== undefined ? [LOOK_AT_SITES] : []),
  ],
  assess({ apps, allow, sites = [], minutes }, { targets = [] }) {
    const found = appsIn(targets);
    const named = found.map(appFacts);
    const sensitive = named.find((each) => each.sensitive !== undefined)?.sensitive;
    const names = [...apps, ...named.flatMap((each) => [...each.apps, ...each.alsoNamed])];
    const shown = found.length === 0 ? apps : found.map(({ appName }) => appName);
    const holdsDashboard = found.some((app) => app.holdsDashboard === true);
    const forbidden = holdsDashboard ? HOLDS_DASHBOARD : objection({ names, sensitive }); // guard A21-1
    return {
      risk: assessRisk({ level: 'medium', reason: 'Meanwhile it acts in these apps without asking.' }),
      capability: 'canControlInput',
      sentence: `${allow === 'input' ? 'Click and type in' : 'Look at'} ${listed(shown.map(quoted))}${sitesWords(sites)} for ${minutesInWords(minutes)}`,
      target: shown.join(', '),
      denialTarget: [...shown, ...sites].join('\n'),
      apps: shown,
      alsoNamed: named.flatMap((each) => each.alsoNamed),
      paths: [],
      sensitive,
      onceOnly: true,
      alwaysAsks: true,
      asksAccess: { apps: found, use: allow, sites, minutes },
      needsPresence: minutes > LONG_MINUTES || sites.length > 0, // guard N51-1
      forbidden,
      changes: `${sites.length > 0 ? ON_SITES : ''}Controls that send, pay, delete, share or allow something still ask. You can revoke it at any time.`,
    };
  },
});

/** For longer, or for a browser, which holds all that the person is signed in to, a click is too little to allow it. */
const LONG_MINUTES = 60;

function appsIn(targets: readonly Target[]): ResolvedApp[] {
  return targets.flatMap((target) => (target.kind === 'app' ? target.app : []));
}

function namesBrowser(apps: readonly string[], targets: readonly Target[]): boolean {
  return apps.some(hasNameOfBrowser) || appsIn(targets).some(isBrowser);
}

const WITHOUT_SITES = {
  pointer: '/sites',
  message:
    'name the sites, at most ten hosts such as "mail.example.org": an access to a browser is for the pages of some sites',
};

const LOOK_AT_SITES = {
  pointer: '/sites',
  message: 'sites are for input alone: to look is to look at all windows of the app',
};

const ON_SITES =
  'It can read and fill everything on these sites as you, open their pages, and look at windows that show one. It gives the pages no file but from your allowed folders; a download goes to your folder for downloads. ';

function objection({
  names,
  sensitive,
}: {
  names: readonly string[];
  sensitive: string | undefined;
}): string | undefined {
  if (names.some(isHandrail)) return 'Handrail itself can never be the target of an action.';
  if (showsOtherScreen(names)) return 'An app that shows another screen is never opened for input.';
  return sensitive === undefined ? undefined : `${sensitive} Access to it is never given for a time.`;
}

function sitesWords(sites: readonly string[]): string {
  return sites.length === 0 ? '' : ` on ${listed(sites)}`;
}

function listed(all: readonly string[]): string {
  return all.length <= 1 ? (all[0] ?? 'no app') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
