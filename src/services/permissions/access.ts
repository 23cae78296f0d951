import type { Decision } from '../../contract/console.ts';
import type { DashboardProgram } from '../../contract/own-window.ts';
import { minutesInWords } from '../../contract/times.ts';
import type { AccessUse, Assessment } from '../../domain/catalogue/definition.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isAppOf } from '../../domain/dashboard-apps.ts';
import { ACCESS_ID, accessApp, accessKey, accessParts, accessSentence } from '../../domain/grant.ts';
import { machineWords } from '../../domain/machine-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';

const MINUTE_MS = 60_000;

type Access = NonNullable<Assessment['asksAccess']>;

/** The live grant by which the person gave access to an app, if there is one. */
export function findAccess(
  { store, clock }: Context,
  { userId, deviceId }: Pick<ActionRow, 'userId' | 'deviceId'>,
  access: Assessment['access'],
): GrantRow | undefined {
  if (access === undefined) return undefined;
  const key = { userId, deviceId, actionType: requestAccess.name, taskId: undefined };
  const found = (use: AccessUse, site?: string) =>
    store.grants.find({ ...key, arguments: accessKey(use, access.app, site) }, clock.nowMs());
  const { use, sites = [] } = access;
  const toAll = use === 'look' ? (found('look') ?? found('input')) : undefined;
  if (toAll !== undefined) return toAll;
  if (sites.length === 0) return found('input');
  const ofSites = sites.map((site) => found('input', site));
  return ofSites.includes(undefined) ? undefined : ofSites[0]; // guard N20-2
}

/** The live accesses to the app in which a dashboard was opened. */
export function accessesTo({ store, clock }: Context, { names, isOwnWindow }: DashboardProgram): GrantRow[] {
  if (isOwnWindow === true) return [];
  return store.grants
    .live(clock.nowMs()) // guard A21-2 begins
    .filter(
      ({ actionType, arguments: given }) => actionType === requestAccess.name && isAppOf(accessApp(given), names), // guard A21-2 ends
    );
}

/**
 * Gives the access that an action asked for, a grant for each app and each site in it; only inside the transaction that records its
 * success. An access that is given again stays one grant until the later end, so that one revocation ends it.
 */
export function giveAccess(context: Context, row: ActionRow, access: Access): void {
  const { store, clock, newId } = context;
  const createdAtMs = clock.nowMs();
  const lastsMs = access.minutes * MINUTE_MS;
  const { id: actionId, userId, deviceId } = row;
  for (const part of access.apps.flatMap((app) => accessParts({ ...access, app }))) {
    const { use, app, sites } = part;
    const key = { userId, deviceId, actionType: requestAccess.name, arguments: accessKey(use, app, sites[0]) };
    const expiresAtMs = createdAtMs + lastsMs;
    const literal = accessLiteral(context, row, { use, sites, apps: [app], span: untilWords(expiresAtMs) });
    const standing = store.grants.find({ ...key, taskId: undefined }, createdAtMs); // guard N7-1
    if (standing !== undefined && standing.expiresAtMs >= expiresAtMs) continue;
    const id = standing?.id ?? newId(ACCESS_ID);
    const unusedMs = expiresAtMs - (standing?.lastUsedAtMs ?? createdAtMs);
    const given = { id, literal, createdAtMs, unusedMs, expiresAtMs };
    if (standing === undefined) store.grants.insert({ ...key, ...given, scope: 'untilQuit' });
    else store.grants.lengthen(given);
    const metadata = { grantId: id, scope: 'untilQuit', type: requestAccess.name } as const;
    store.journal.append(createdAtMs, { kind: 'grant.created', userId, deviceId, actionId, metadata });
  }
}

/** The access that an approval would give, in words. */
export function offeredAccess(context: Context, row: ActionRow, access: Access): string {
  return accessLiteral(context, row, { ...access, span: `for ${minutesInWords(access.minutes)}` });
}

/** What a prompt says of the access that it asks for. The person may give less. */
export function accessOffer({ apps, minutes }: Access): { apps: string[]; minutes: number } {
  return { apps: apps.map(({ appName }) => visible(appName)), minutes };
}

/** The parameters and targets of a request for access, as far as the person gives it. */
export function narrowedAccess(
  { parameters, targets = [] }: Pick<ActionRow, 'parameters' | 'targets'>,
  { minutes, apps }: NonNullable<Decision['access']>,
): Pick<ActionRow, 'parameters' | 'targets'> {
  const kept = targets.filter((target) => target.kind !== 'app' || apps.includes(visible(target.app.appName)));
  const names = kept.flatMap((target) => (target.kind === 'app' ? [target.name] : []));
  return { parameters: { ...parameters, apps: names, minutes }, targets: kept };
}

/** Why the person cannot give this access, if they cannot: it may be less than what was asked for, and no more. */
export function accessObjection(asked: Access | undefined, given: Decision['access']): string | undefined {
  if (given === undefined) return undefined;
  if (asked === undefined) return 'This prompt asks for no access.';
  const offered = accessOffer(asked);
  const isLess = given.minutes <= offered.minutes && given.apps.every((app) => offered.apps.includes(app));
  return isLess // guard N51-2
    ? undefined
    : `This prompt asks for ${offered.apps.join(', ')}, for ${minutesInWords(offered.minutes)} at most.`;
}

function accessLiteral(
  { store }: Context,
  { userId, deviceId }: ActionRow,
  { span, ...access }: Omit<Access, 'minutes'> & { span: string },
): string {
  const deviceName = store.devices.find(userId, deviceId)?.name ?? deviceId;
  const begin = machineWords(store.devices.machineOf(deviceId));
  return visible(`${begin}${accessSentence(access, { userId, deviceName, span })}`);
}

/** In the person's own time. */
function untilWords(atMs: number): string {
  const at = new Date(atMs);
  return `until ${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}
