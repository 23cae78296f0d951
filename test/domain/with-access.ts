import type { Verdict } from '../../src/contract/action.ts';
import { isSameApp } from '../../src/contract/app-name.ts';
import type { Control, ResolvedApp } from '../../src/contract/screen.ts';
import { sensitivity } from '../../src/contract/sensitive-apps.ts';
import type { Target, TargetReference } from '../../src/contract/targets.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { accessOf } from '../../src/domain/grant.ts';
import { BUILT_IN_PROFILES, judge } from '../../src/domain/profile.ts';

export type Judged = { verdict: Verdict; level: string; sentence: string; reasons: readonly string[]; rule: string };

/** An app as the agent would tell it. */
export function appNamed(appName: string): ResolvedApp {
  const kind = sensitivity(appName);
  const risks = kind === undefined ? [] : [{ level: 'high', reason: `${appName} is ${kind}.` } as const];
  return { appName, alsoKnownAs: [], risks };
}

/** A control as the agent would tell it. */
export function controlIn(appName: string, rest: Partial<Omit<Control, 'app'>> = {}): Control {
  return {
    app: appNamed(appName),
    pid: 1,
    windowId: 'w1',
    windowTitle: appName,
    role: 'button',
    name: '',
    bounds: null,
    isPassword: false,
    isEditable: false,
    isOwn: false,
    ...rest,
  };
}

/**
 * How an action is judged under `assist`, after the person gave access to clicks and keys in one app. What
 * `accessOf` names then runs.
 */
export function judgedWithAccess(
  { actionType, parameters, control }: { actionType: string; parameters: unknown; control?: Control | undefined },
  granted: string | undefined = control?.app.appName,
): Judged {
  const checked = CATALOGUE.get(actionType)?.check(parameters);
  if (checked?.ok !== true) throw new Error(`${actionType} does not take ${JSON.stringify(parameters)}`);
  const assessed = checked.assess({
    targets: control && checked.references.flatMap((each) => foundAt(each, control) ?? []),
  });
  if (!assessed.ok) throw new Error(`${actionType}: ${JSON.stringify(assessed.faults)}`);
  const { assessment } = assessed;
  const profile = BUILT_IN_PROFILES.find(({ name }) => name === 'assist');
  if (profile === undefined) throw new Error('there is no profile assist');
  const { effectClass = 'once' } = CATALOGUE.get(actionType) ?? {};
  const { verdict, rule } = judge(
    {
      actionType,
      effectClass,
      assessment,
      minuteOfDay: 600,
      recent: { perMinute: 1, perHour: 1 },
      capabilities: { canControlInput: true, canOpenApps: true, canRunScripts: true, canAccessFiles: true },
    },
    profile,
  );
  const { risk, sentence } = assessment;
  const access = accessOf(assessment);
  const isLet = verdict === 'ask' && access !== undefined && isSameApp(access.app.appName, granted ?? '');
  return { verdict: isLet ? 'allow' : verdict, level: risk.level, sentence, reasons: risk.reasons, rule };
}

/** What the agent finds for a reference, if it is this control or the window of it. */
export function foundAt(reference: TargetReference, control: Control): Target | undefined {
  switch (reference.kind) {
    case 'element':
    case 'focus':
      return { ...reference, control };
    case 'point':
      return { ...reference, control, at: { x: reference.x, y: reference.y } };
    case 'window': {
      const { pid, windowTitle: title, app } = control;
      const bounds = { x: 0, y: 0, width: 100, height: 100 };
      const window = { id: reference.windowId, app: app.appName, pid, title, bounds, identity: app };
      return { ...reference, window };
    }
    case 'opener':
      return { ...reference, app: control.app };
    default:
      return undefined;
  }
}
