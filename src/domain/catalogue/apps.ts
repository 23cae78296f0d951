import { appNameObjection, plainName } from '../../contract/app-name.ts';
import { OpenAppParameters, QuitAppParameters } from '../../contract/parameters.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { isHandrail, sensitivity } from '../../contract/sensitive-apps.ts';
import type { Target, TargetReference } from '../../contract/targets.ts';
import { assessRisk, highestOf, isAtLeast, type RiskRule } from '../risk.ts';
import { type Assessment, defineAction } from './definition.ts';
import { done } from './done.ts';

/** The faults in the name of an app that is the target of an action. */
export function appNameFaults({ appName }: { appName: string }): SchemaFault[] {
  const objection = appNameObjection(appName);
  return objection === undefined
    ? []
    : [{ pointer: '/appName', message: `expected the name of an app, and this ${objection}` }];
}

/**
 * The common part of actions on an app: the target, the rule about sensitive apps, and the rule that Handrail itself is no
 * target.
 */
export function appTarget(appName: string) {
  const sensitive = sensitivity(appName);
  const rules: RiskRule[] =
    sensitive === undefined
      ? []
      : [
          {
            level: 'high',
            reason: `${appName} is ${sensitive}, and controls more than itself.`,
          },
        ];
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

function appReference({ appName }: { appName: string }): TargetReference[] {
  return [{ kind: 'app', name: appName }];
}

/**
 * Adds what only the device knows, because it finds the app behind a name: the other names of the app, and its risks. They can raise
 * the risk and never lower it. When they raise it, their reasons replace those for the bare name, which may not hold for the app.
 */
export function withApps(byName: Assessment, targets: readonly Target[]): Assessment {
  const found = targets.flatMap((target) => (target.kind === 'app' ? target.app : []));
  if (found.length === 0) return byName;
  const alsoNamed = found.flatMap(({ appName, bundleId = appName, alsoKnownAs }) => [
    appName,
    bundleId,
    ...alsoKnownAs,
  ]);
  return withRisks(
    { ...byName, alsoNamed },
    found.flatMap(({ risks }) => risks),
  );
}

function withRisks(assessment: Assessment, risks: readonly RiskRule[]): Assessment {
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

export const openApp = defineAction({
  name: 'OpenApp',
  summary: 'Opens an app, or brings it to the front, and checks that it is there',
  capability: 'canOpenApps',
  effectClass: 'idempotent',
  baseRisk: 'low',
  hint: 'The app may be open already.',
  isUsual: true,
  parameters: OpenAppParameters,
  targets: appReference,
  faults: appNameFaults,
  assess({ appName }) {
    const { rules, facts } = appTarget(appName);
    return {
      ...facts,
      risk: assessRisk(
        { level: 'low', reason: 'Opening an app changes nothing that closing it would not undo.' },
        rules,
      ),
      sentence: `Open the app “${appName}”`,
      ...done(appName, 'opened', ''),
      changes: 'Starts the app or brings it to the front; closing it undoes that.',
    };
  },
});

export const quitApp = defineAction({
  name: 'QuitApp',
  summary: 'Asks an app to close, as its own menu would; it is never killed',
  capability: 'canOpenApps',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Unsaved work may bring up a dialog of the app.',
  isUsual: true,
  isIrreversible: true,
  parameters: QuitAppParameters,
  targets: appReference,
  faults: appNameFaults,
  assess({ appName }) {
    const { rules, facts } = appTarget(appName);
    return {
      ...facts,
      risk: assessRisk({ level: 'medium', reason: 'An app that closes may take unsaved work with it.' }, rules),
      sentence: `Quit the app “${appName}”`,
      ...done(appName, 'quit', ''),
      changes: 'Asks the app to close. The app may ask about unsaved work; work that it drops is lost.',
    };
  },
});
