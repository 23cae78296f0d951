import { appNameObjection } from '../../contract/app-name.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { isHandrail, sensitivity } from '../../contract/sensitive-apps.ts';
import type { RiskRule } from '../risk.ts';

/** What is wrong with the name of an app that is to be acted on. */
export function appNameFaults({ appName }: { appName: string }): SchemaFault[] {
  const objection = appNameObjection(appName);
  return objection === undefined
    ? []
    : [{ pointer: '/appName', message: `expected the name of an app, and this ${objection}` }];
}

/** What every action on an app has in common: its target, the rule about sensitive apps, and that Handrail is none. */
export function appTarget(appName: string) {
  const sensitive = sensitivity(appName);
  const rules: RiskRule[] =
    sensitive === undefined
      ? []
      : [{ level: 'high', reason: `${appName} is ${sensitive}: whoever controls it controls more than one app.` }];
  return {
    rules,
    facts: {
      capability: 'canOpenApps',
      target: appName,
      apps: [appName],
      paths: [],
      sensitive,
      ...(isHandrail(appName) ? { forbidden: 'Handrail itself can never be the target of an action.' } : {}),
    },
  } as const;
}
