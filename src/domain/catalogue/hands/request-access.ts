import { appNameObjection } from '../../../contract/app-name.ts';
import { RequestAccessParameters } from '../../../contract/hands.ts';
import { isHandrail } from '../../../contract/sensitive-apps.ts';
import type { TargetReference } from '../../../contract/targets.ts';
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
  faults: ({ apps }) =>
    apps.flatMap((name, index) => {
      const objection = appNameObjection(name);
      return objection === undefined
        ? []
        : [{ pointer: `/apps/${index}`, message: `expected the name of an app, and this ${objection}` }];
    }),
  assess({ apps, allow, minutes }, { targets = [] }) {
    const found = targets.flatMap((target) => (target.kind === 'app' ? target.app : []));
    const named = found.map(appFacts);
    const sensitive = named.find((each) => each.sensitive !== undefined)?.sensitive;
    const names = [...apps, ...named.flatMap((each) => [...each.apps, ...each.alsoNamed])];
    const shown = found.length === 0 ? apps : found.map(({ appName }) => appName);
    const holdsDashboard = found.some((app) => app.holdsDashboard === true);
    const forbidden = holdsDashboard ? HOLDS_DASHBOARD : objection({ names, sensitive });
    return {
      risk: assessRisk({ level: 'medium', reason: 'For this time it acts in these apps without asking each time.' }),
      capability: 'canControlInput',
      sentence: `${allow === 'input' ? 'Click and type in' : 'Take pictures of'} ${listed(shown)} for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
      target: shown.join(', '),
      denialTarget: shown.join('\n'),
      apps: shown,
      alsoNamed: named.flatMap((each) => each.alsoNamed),
      paths: [],
      sensitive,
      onceOnly: true,
      alwaysAsks: true,
      asksAccess: { apps: found, use: allow, minutes },
      ...(forbidden === undefined ? {} : { forbidden }),
      changes: `${allow === 'input' ? 'A browser may also be told to open short addresses. ' : ''}Controls that send, pay, delete, share or allow something still ask. You can revoke it at any time.`,
    };
  },
});

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

function listed(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length <= 1 ? (all[0] ?? 'no app') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
