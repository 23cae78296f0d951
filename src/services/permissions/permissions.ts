import { encodeTime } from 'ulid';
import type { Profile, ProfileList } from '../../contract/profile.ts';
import type { ActionDefinition, Assessment } from '../../domain/catalogue/definition.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import {
  BUILT_IN_PROFILES,
  type Case,
  DEFAULT_PROFILE,
  heldName,
  type Judgement,
  judge,
  outsidePlan,
  stricter,
} from '../../domain/profile.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { CallOff, CallsOff } from '../call-off.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';

const POLICY_VERSION = 'policyVersion';
const EVERYBODY = '*';

export type Permissions = ReturnType<typeof createPermissions>;

type Request = {
  userId: string;
  /** A profile the submission names for itself; it can only narrow. */
  named?: string | undefined;
  definition: ActionDefinition;
  assessment: Assessment;
  device: DeviceRow;
};

type RuleEvent = JournalEvent<`profile.${'changed' | 'removed' | 'assigned'}` | `folder.${'allowed' | 'removed'}`>;

type Parts = { callOffs: CallsOff };

/** The person's rules: which profile applies to a user, and its verdict on an assessed action. */
export function createPermissions(context: Context, { callOffs }: Parts) {
  const { store, clock } = context;
  let custom = store.profiles.list();
  let assignments = new Map(store.profiles.assignments().map(({ userId, profile }) => [userId, profile]));
  let policyVersion = Number(store.settings.get(POLICY_VERSION) ?? 1);

  let changed: () => void = () => undefined;
  const recent = createRecentCounts(context);

  const find = (name: string) => [...BUILT_IN_PROFILES, ...custom].find((profile) => profile.name === name);

  /** The profile of each user by the rules of now, whatever becomes of them later. */
  function inForce(): (userId: string) => Profile {
    const [profiles, names] = [[...BUILT_IN_PROFILES, ...custom], assignments];
    const called = (name: string) => profiles.find((profile) => profile.name === name);
    return (userId) => {
      const profile = called(names.get(userId) ?? names.get(EVERYBODY) ?? DEFAULT_PROFILE) ?? called(DEFAULT_PROFILE);
      if (profile === undefined) throw new Error(`the built-in profile ${DEFAULT_PROFILE} is missing`);
      return profile;
    };
  }

  const profileOf = (userId: string) => inForce()(userId);

  /**
   * Changes the rules, with their version and journal event, in one transaction. Approved or allowed actions that were not
   * sent yet become void; `because` can name more that end.
   */
  function change(event: RuleEvent, work: () => void, because: CallOff = { because: 'rules_changed' }): void {
    const callOff = callOffs.prepare(because);
    store.write('durable', () => {
      work();
      store.settings.set(POLICY_VERSION, policyVersion + 1);
      store.journal.append(clock.nowMs(), event);
      callOff.note();
    });
    policyVersion += 1;
    custom = store.profiles.list();
    assignments = new Map(store.profiles.assignments().map(({ userId, profile }) => [userId, profile]));
    callOff.begin(); // guard A6-5
    changed();
  }

  const list = () => listOf(custom, assignments);

  return {
    /** Names the one that is told after the rules changed: approvals given under the old rules are then void. */
    observedBy(observer: () => void): void {
      changed = observer;
    },
    /** For rules of the person that are kept elsewhere. */
    change,
    policyVersion: (): string => String(policyVersion),
    /** Whether the person gave this user a profile of its own. */
    hasProfile: (userId: string): boolean => assignments.has(userId),
    profileNameOf: (userId: string): string => profileOf(userId).name,
    /** The verdict of the rules; a named profile that does not exist is refused, not ignored. */
    judge(request: Request): Judgement | Refusal {
      const profile = profileOf(request.userId);
      const named = request.named === undefined ? undefined : find(request.named);
      if (request.named !== undefined && named === undefined) return noSuchProfile(request.named, list());
      const each = caseOf(context, request, { profiles: [profile, named], recent });
      const assigned = judge(each, profile);
      return named === undefined ? assigned : stricter(assigned, judge(each, named));
    },
    /** The same verdict once everything else is counted in, for an action that may stand outside of a plan. */
    outsidePlan(judged: Judgement, { userId, named, isStep }: Pick<Request, 'userId' | 'named'> & { isStep: boolean }) {
      const profiles = [profileOf(userId), named === undefined ? undefined : find(named)];
      return profiles.reduce(
        (by, profile) => (profile === undefined ? by : outsidePlan(by, profile, { isStep })),
        judged,
      );
    },
    inForce,
    find,
    list,
    put(profile: Profile): ProfileList | Refusal {
      const held = heldName(profile.name);
      if (held !== undefined) return { refused: 'validation_failed', detail: held };
      change({ kind: 'profile.changed', metadata: { profile: profile.name } }, () => store.profiles.put(profile));
      return list();
    },
    remove(name: string): ProfileList | Refusal {
      const held = heldName(name);
      if (held !== undefined) return { refused: 'validation_failed', detail: held };
      if (find(name) === undefined) return noSuchProfile(name, list());
      const users = [...assignments].filter(([, profile]) => profile === name).map(([userId]) => userId);
      if (users.length > 0) return stillAssigned(name, users);
      change({ kind: 'profile.removed', metadata: { profile: name } }, () => store.profiles.remove(name));
      return list();
    },
    assign(userId: string, name: string): ProfileList | Refusal {
      if (find(name) === undefined) return noSuchProfile(name, list());
      const event = {
        kind: 'profile.assigned',
        metadata: { profile: name, to: userId, from: profileOf(userId).name },
      } as const;
      change(event, () => store.profiles.assign(userId, name));
      return list();
    },
  };
}

function listOf(custom: readonly Profile[], assignments: ReadonlyMap<string, string>): ProfileList {
  return {
    items: [
      ...BUILT_IN_PROFILES.map((profile) => ({ ...profile, builtIn: true })),
      ...custom.map((profile) => ({ ...profile, builtIn: false })),
    ],
    assignments: [...assignments].map(([userId, profile]) => ({ userId, profile })),
  };
}

function stillAssigned(name: string, users: readonly string[]): Refusal {
  return {
    refused: 'validation_failed',
    detail: `The profile ${name} is assigned to ${users.join(', ')}. Assign another one first.`,
  };
}

type CaseBasis = {
  profiles: readonly (Profile | undefined)[];
  /** How many actions a user has submitted within the last minute and hour. */
  recent: { minute(userId: string): number; hour(userId: string): number };
};

function caseOf(context: Context, request: Request, { profiles, recent }: CaseBasis): Case {
  const { userId, assessment, definition, device } = request;
  const now = new Date(context.clock.nowMs());
  const rules = profiles.flatMap((profile) => profile?.rules ?? []);
  const counts = rules.some((rule) => rule.morePerMinuteThan !== undefined || rule.morePerHourThan !== undefined);
  return {
    actionType: definition.name,
    effectClass: definition.effectClass,
    assessment,
    capabilities: device.capabilities,
    minuteOfDay: now.getHours() * 60 + now.getMinutes(),
    // The one that is judged comes on top.
    recent: counts
      ? { perMinute: recent.minute(userId) + 1, perHour: recent.hour(userId) + 1 }
      : { perMinute: 1, perHour: 1 },
  };
}

function noSuchProfile(name: string, { items }: ProfileList): Refusal {
  const names = items.map((profile) => profile.name).join(', ');
  return { refused: 'validation_failed', detail: `There is no profile "${name}". There are ${names}.` };
}

/** The number of actions from `fromId` to `latestId`. */
type Counted = { fromId: string; latestId: string; count: number };

/** How many actions a user has submitted within the last minute and hour. */
function createRecentCounts(context: Context) {
  const [minute, hour] = [createRecentCount(context, 60_000), createRecentCount(context, 3_600_000)];
  return { minute: minute.of, hour: hour.of };
}

/**
 * How many actions a user has submitted within the last `spanMs`. The previous count is updated by the actions that were
 * added or left the span since, so that a call costs the same for any number of actions.
 */
export function createRecentCount({ store, clock }: Context, spanMs: number) {
  const known = new Map<string, Counted>();

  function counted(userId: string, fromId: string): Counted {
    const before = known.get(userId);
    // The clock was set back, so older actions are in the span again.
    if (before === undefined || fromId < before.fromId) {
      const { count, latestId } = store.actions.countFrom(userId, fromId);
      return { fromId, latestId: latestId ?? fromId, count };
    }
    const left = store.actions.countBetween(userId, before.fromId, fromId);
    const { count, latestId } = store.actions.countAfter(userId, before.latestId);
    return { fromId, latestId: latestId ?? before.latestId, count: before.count - left + count };
  }

  return {
    of(userId: string): number {
      const now = counted(userId, `act_${encodeTime(clock.nowMs() - spanMs, 10)}`);
      known.set(userId, now);
      return now.count;
    },
  };
}
