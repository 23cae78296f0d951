import { appNameObjection, plainName } from '../../contract/app-name.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { isHandrail, sensitivity } from '../../contract/sensitive-apps.ts';
import { highestOf, isAtLeast, type RiskRule } from '../risk.ts';
import type { Assessment } from './definition.ts';

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
      denialTarget: plainName(appName),
      apps: [appName],
      paths: [],
      sensitive,
      ...(isHandrail(appName) ? { forbidden: 'Handrail itself can never be the target of an action.' } : {}),
    },
  } as const;
}

/**
 * The assessment with the risks that only the device can see in the app behind the name. They can raise the risk, never lower
 * it, and the reasons are then those that raised it: what was said of the bare name may be wrong for the app.
 */
export function withAppRisks(assessment: Assessment, risks: readonly RiskRule[]): Assessment {
  const level = highestOf(risks.map((risk) => risk.level));
  if (isAtLeast(assessment.risk.level, level)) return assessment;
  const reasons = risks.filter((risk) => risk.level === level).map(({ reason }) => reason);
  const isHidden = isAtLeast(level, 'high');
  return {
    ...assessment,
    risk: { level, reasons },
    ...(isHidden ? { sensitive: assessment.sensitive ?? reasons[0], isHidden } : {}),
  };
}
