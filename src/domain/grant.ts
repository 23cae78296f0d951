import type { GrantScope } from '../contract/console.ts';
import { ONLY_ONCE } from '../contract/first-layer.ts';
import type { ResolvedApp } from '../contract/screen.ts';
import { isBrowser } from '../contract/web-address.ts';
import { canonicalJson } from './canonical-json.ts';
import type { AccessUse, Assessment } from './catalogue/definition.ts';
import { quoted } from './catalogue/window-words.ts';
import { CATALOGUE } from './catalogue.ts';
import { isAtLeast } from './risk.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The ids of accesses to an app begin with this. An access lasts some minutes and is no standing grant. */
export const ACCESS_ID = 'acc';

/** Whether this id in the journal is of an access, and not of another grant. */
export function isAccessId(id: string): boolean {
  return id.startsWith(`${ACCESS_ID}_`);
}

/** The longest arguments, in characters, that a grant can show whole. */
export const LONGEST_SHOWN = 500;

/** The scopes of grants, which allow further actions. `once` allows one action and makes no grant. */
export type StandingScope = Exclude<GrantScope, 'once'>;

/** How long a grant lasts at most, and how long it may lie unused, in milliseconds. */
export const GRANT_LIFE: Record<StandingScope, { lastsMs: number; unusedMs: number }> = {
  task: { lastsMs: 8 * HOUR_MS, unusedMs: 8 * HOUR_MS },
  minutes15: { lastsMs: 15 * MINUTE_MS, unusedMs: 15 * MINUTE_MS },
  untilQuit: { lastsMs: 8 * HOUR_MS, unusedMs: 8 * HOUR_MS },
  always: { lastsMs: 90 * DAY_MS, unusedMs: 30 * DAY_MS },
};

/** The scopes that a prompt offers for an action. An action that could do lasting harm is never allowed for good, and one of critical risk only once. */
export function offeredScopes(assessment: Assessment, options: { arguments: string; inTask: boolean }): GrantScope[] {
  if (!mayStand(assessment) || isAtLeast(assessment.risk.level, 'critical')) return ['once'];
  if (assessment.covers !== undefined) return ['once', 'minutes15'];
  const mayLast =
    !isAtLeast(assessment.risk.level, 'high') && // guard E-5
    !assessment.isIrreversible &&
    assessment.sensitive === undefined &&
    options.arguments.length <= LONGEST_SHOWN;
  return [
    'once',
    ...(options.inTask ? (['task'] as const) : []),
    'minutes15',
    'untilQuit',
    ...(mayLast ? (['always'] as const) : []),
  ];
}

/** The sentence of an action as the end of another sentence, about doing it again and again. */
export function habitOf(sentence: string): string {
  const does = `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
  return does.replace(/^take a screenshot of/u, 'take screenshots of');
}

/**
 * Whether a grant can let an action through. The id of a window and a path can lead to another thing tomorrow. A grant that covers
 * more than one set of parameters ends where the risk is high.
 */
export function mayStand({ onceOnly, covers, risk }: Assessment): boolean {
  return covers === undefined ? onceOnly !== true : !isAtLeast(risk.level, 'high'); // guard X17-1
}

/** What a grant for an action is bound to, as canonical JSON (RFC 8785): what the person is told, and no form of the result. */
export function grantArguments(
  { actionType, parameters }: { actionType: string; parameters: Readonly<Record<string, unknown>> },
  covers: Assessment['covers'],
): string {
  if (covers !== undefined) return covers.key;
  const narrowing = CATALOGUE.get(actionType)?.narrowing ?? [];
  return canonicalJson(Object.fromEntries(Object.entries(parameters).filter(([name]) => !narrowing.includes(name))));
}

/** The whole grant in words, shown before it is given and in the list after. */
export function grantSentence(
  scope: GrantScope,
  grant: { userId: string; does: string; deviceName: string; covers?: string | undefined },
): string {
  if (scope === 'once') return ONLY_ONCE;
  const span = {
    task: 'until this task ends',
    minutes15: 'for 15 minutes',
    untilQuit: 'until Handrail quits, 8 hours at most',
    always: 'until it is unused for 30 days (90 days at most)',
  }[scope];
  if (grant.covers !== undefined)
    return `“${grant.userId}” can run on ${JSON.stringify(grant.deviceName)} ${span}: ${grant.covers}.`;
  return `“${grant.userId}” can ${grant.does} on ${JSON.stringify(grant.deviceName)} ${span}.`;
}

/** The app in which an action may be let through by an access that the person gave. Risk and sensitive apps still ask. */
export function accessOf({ access, risk, sensitive, alwaysAsks }: Assessment): Assessment['access'] {
  if (access === undefined || sensitive !== undefined || alwaysAsks === true) return undefined;
  const isRisky = access.app.risks.some(({ level }) => isAtLeast(level, 'high'));
  return isRisky || isAtLeast(risk.level, 'high') ? undefined : access; // guard N3-1
}

/** The arguments of one grant of an access: the app by all of its names, and one site in it where it is for sites. */
export function accessKey(allow: AccessUse, { appName, bundleId, alsoKnownAs }: AppNames, site?: string): string {
  const app = { appName, bundleId: bundleId ?? null, alsoKnownAs: alsoKnownAs.toSorted() };
  return canonicalJson({ allow, app, site });
}

/** A part of an access that is one grant: to an app, or to one site in it. An access to act in a browser is for sites alone. */
export type AccessPart = { use: AccessUse; app: ResolvedApp; sites: readonly string[] };

/** The grants that give an access to one app. */
export function accessParts({ use, app, sites }: AccessPart): AccessPart[] {
  const ofSites = use === 'input' ? sites.map((site) => ({ use, app, sites: [site] })) : [];
  return use === 'input' && isBrowser(app) ? ofSites : [{ use, app, sites: [] }, ...ofSites];
}

/** The app of the arguments that `accessKey` made. */
export function accessApp(key: string): ResolvedApp {
  const { app } = JSON.parse(key);
  const { appName, bundleId, alsoKnownAs } = app;
  return { appName, ...(bundleId !== null && { bundleId }), alsoKnownAs, risks: [] };
}

type AppNames = Omit<ResolvedApp, 'risks'>;

/** An access in words, shown before it is given and in the list after. `span`: such as "until 10:48". */
export function accessSentence(
  { use, apps, sites }: { use: AccessUse; apps: readonly ResolvedApp[]; sites: readonly string[] },
  { userId, deviceName, span }: { userId: string; deviceName: string; span: string },
): string {
  const names = apps.map(({ appName, bundleId }) => quoted(appName) + (bundleId === undefined ? '' : ` (${bundleId})`));
  const verb = use === 'input' ? 'click and type in' : 'look at';
  const where = sites.length === 0 ? '' : ` on ${sites.join(', ')}`;
  return `“${userId}” may ${verb} ${names.join(', ')}${where} on ${JSON.stringify(deviceName)} ${span}, or until Handrail quits.`;
}
