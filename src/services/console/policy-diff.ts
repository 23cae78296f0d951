import { hash } from 'node:crypto';
import type { Verdict } from '../../contract/action.ts';
import type { Capabilities } from '../../contract/device.ts';
import type { AllowedFolder } from '../../contract/files.ts';
import type { PolicyDiff, PolicyQuestion } from '../../contract/policy.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Target } from '../../contract/targets.ts';
import { withApps } from '../../domain/catalogue/apps.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { comparedWith } from '../../domain/policy.ts';
import { type Case, type Judgement, judge, minutes, outsidePlan } from '../../domain/profile.ts';
import { idNotAfter, storedJson } from '../../store/database/stored-values.ts';
import type { JudgedActionRow } from '../../store/records/activity.ts';
import { assessRow } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { createSlice } from '../work/turns.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Rows of one read. */
const PIECE = 500;
const WATCHED_DAYS = 7;
const MOST_EXAMPLES = 3;

export type PolicyDiffs = ReturnType<typeof createPolicyDiffs>;

type Parts = {
  permissions: Pick<Permissions, 'inForce' | 'find'>;
  foldersOf(userId: string, machine: string): readonly AllowedFolder[];
};

/** Judges the actions of the past days under other profiles, in comparison with those in force. Changes nothing. */
export function createPolicyDiffs(context: Context, { permissions, foldersOf }: Parts) {
  const { store, clock } = context;

  /** Up to the latest one of now, oldest first. */
  function* rowsSince(atMs: number): Generator<JudgedActionRow> {
    const upToId = store.judgedActions.latestId();
    let afterId: string | undefined = idNotAfter('act', atMs);
    while (afterId !== undefined) {
      const rows = store.judgedActions.page(afterId, upToId, PIECE);
      yield* rows;
      afterId = rows.at(-1)?.id;
    }
  }

  async function diff({ profiles, days }: PolicyQuestion): Promise<PolicyDiff> {
    const sinceMs = clock.nowMs() - days * DAY_MS;
    const inForce = permissions.inForce();
    const pairOf = remembered((userId) => pairFor(inForce(userId), profiles));
    const tally = createTally(days, foldersOf);
    const recent = createRecent();
    const slice = createSlice(clock);
    // The rates of the first ones need the hour before.
    for (const row of rowsSince(sinceMs - HOUR_MS)) {
      const pair = pairOf(row.userId);
      const rates = pair.hasRates ? recent(row) : NO_RATES;
      if (row.createdAtMs >= sinceMs) tally.add(row, pair, rates);
      if (slice.isOver()) await slice.next();
    }
    return tally.told();
  }

  return {
    diff,
    /** What a saved profile would have done within the last week, if it had applied to everybody. */
    async watch(name: string): Promise<PolicyDiff | Refusal> {
      const profile = permissions.find(name);
      if (profile === undefined) return { refused: 'not_found', detail: `There is no profile ${name}.` };
      return diff({ profiles: [profile], days: WATCHED_DAYS });
    },
  };
}

type Rates = Case['recent'];
/** Where no rule asks for them. */
const NO_RATES: Rates = { perMinute: 1, perHour: 1 };
const NO_MINUTE = 0;

/** The two profiles of a requester, and the values at which their rules on hours and rates turn. */
type Pair = {
  now: Profile;
  would: Profile;
  hasRates: boolean;
  hasHours: boolean;
  /** Equal for circumstances that no rule tells apart. */
  circumstances(minuteOfDay: number, rates: Rates): string;
};

function pairFor(now: Profile, profiles: readonly Profile[]): Pair {
  const would = comparedWith(now, profiles);
  const rules = [...now.rules, ...would.rules];
  const hours = rules.flatMap((rule) =>
    rule.hours === undefined ? [] : [minutes(rule.hours.from), minutes(rule.hours.to)],
  );
  const perMinute = rules.flatMap((rule) => rule.morePerMinuteThan ?? []);
  const perHour = rules.flatMap((rule) => rule.morePerHourThan ?? []);
  return {
    now,
    would,
    hasRates: perMinute.length + perHour.length > 0,
    hasHours: hours.length > 0,
    circumstances(minuteOfDay, rates) {
      const span = hours.filter((minute) => minute <= minuteOfDay).length;
      const over = perMinute.filter((limit) => rates.perMinute > limit).length;
      return `${span} ${over} ${perHour.filter((limit) => rates.perHour > limit).length}`;
    },
  };
}

/** How many actions each requester had submitted within the last minute and hour, each one included. Rows come oldest first. */
function createRecent() {
  const timesOf = remembered((_userId: string) => ({ times: [] as number[], minute: 0, hour: 0 }));
  return ({ userId, createdAtMs }: JudgedActionRow): Rates => {
    const known = timesOf(userId);
    const { times } = known;
    times.push(createdAtMs);
    while (Number(times[known.minute]) < createdAtMs - MINUTE_MS) known.minute += 1;
    while (Number(times[known.hour]) < createdAtMs - HOUR_MS) known.hour += 1;
    return { perMinute: times.length - known.minute, perHour: times.length - known.hour };
  };
}

/** Cases that get the same verdicts. */
type Group = { now: Judgement; would: Judgement };

type Example = PolicyDiff['newlyAllowed']['examples'][number];
type Change = Omit<Example, 'at'> & { atMs: number };

/** Counts verdicts. Equal cases are judged once. */
function createTally(days: number, foldersOf: Parts['foldersOf']) {
  const groups = new Map<string, Group>();
  const changes = {
    allow: new Map<string, Change>(),
    ask: new Map<string, Change>(),
    block: new Map<string, Change>(),
  };
  const counts = { now: { allow: 0, ask: 0, block: 0 }, would: { allow: 0, ask: 0, block: 0 } };
  const seen = { judged: 0, withoutContents: 0 };
  const capabilitiesOf = remembered((text) => storedJson<Capabilities>(text));

  function note(row: JudgedActionRow, { now, would }: Group): void {
    const { userId, actionType, sentence, createdAtMs } = row;
    const key = JSON.stringify([userId, actionType, now.verdict, would.rule]);
    const count = (changes[would.verdict].get(key)?.count ?? 0) + 1;
    const latest = { count, userId, actionType, from: now.verdict, rule: would.rule, atMs: createdAtMs };
    changes[would.verdict].set(key, { ...latest, sentence });
  }

  const toldOf = (verdict: Verdict): PolicyDiff['newlyAllowed'] => {
    const all = [...changes[verdict].values()];
    const most = all.toSorted((one, other) => other.count - one.count).slice(0, MOST_EXAMPLES);
    const examples = most.map(({ atMs, ...change }): Example => ({ ...change, at: timestamp(atMs) }));
    return { count: all.reduce((sum, { count }) => sum + count, 0), examples };
  };

  return {
    add(row: JudgedActionRow, pair: Pair, rates: Rates): void {
      const minuteOfDay = pair.hasHours ? minuteAt(row.createdAtMs) : NO_MINUTE;
      const key = keyOf(row, pair.circumstances(minuteOfDay, rates));
      let group = groups.get(key);
      if (group === undefined) {
        const { actionType, effectClass } = row;
        const facts = { actionType, effectClass, assessment: assessmentOf(row, foldersOf) };
        const capabilities = capabilitiesOf(row.capabilities);
        const each: Case = { ...facts, capabilities, minuteOfDay, recent: rates };
        const by = (profile: Profile) =>
          outsidePlan(judge(each, profile), profile, { isStep: row.taskId !== undefined });
        group = { now: by(pair.now), would: by(pair.would) };
        groups.set(key, group);
      }
      seen.judged += 1;
      if (row.parameters === undefined) seen.withoutContents += 1;
      counts.now[group.now.verdict] += 1;
      counts.would[group.would.verdict] += 1;
      if (group.now.verdict !== group.would.verdict) note(row, group);
    },
    told: (): PolicyDiff => ({
      days,
      ...seen,
      ...counts,
      newlyAllowed: toldOf('allow'),
      newlyAsked: toldOf('ask'),
      newlyBlocked: toldOf('block'),
    }),
  };
}

/** Local time of day. */
function minuteAt(ms: number): number {
  const at = new Date(ms);
  return at.getHours() * 60 + at.getMinutes();
}

/** The same for equal cases. Parameters may be long, so a digest stands for them. */
function keyOf(row: JudgedActionRow, circumstances: string): string {
  const { userId, actionType, effectClass, riskLevel, taskId, capabilities, machine, parameters, targets = '' } = row;
  const contents = parameters === undefined ? '' : hash('sha256', `${parameters}\n${targets}`, 'base64');
  return `${userId} ${actionType} ${effectClass} ${riskLevel} ${taskId !== undefined} ${circumstances} ${capabilities} ${machine} ${contents}`;
}

/** With the risk on record, which may be higher than that of its parameters alone. */
function assessmentOf(row: JudgedActionRow, foldersOf: Parts['foldersOf']): Assessment {
  const risk = { level: row.riskLevel, reasons: [] };
  const parameters = row.parameters === undefined ? undefined : storedJson<Record<string, unknown>>(row.parameters);
  const targets = row.targets === undefined ? [] : storedJson<Target[]>(row.targets);
  const { userId, machine } = row;
  const made = assessRow({ ...row, parameters, targets }, { folders: foldersOf(userId, machine), machine });
  return { ...(made === undefined ? unknownContents(row) : withApps(made, targets)), risk };
}

function unknownContents({ actionType, riskLevel }: JudgedActionRow): Assessment {
  return {
    risk: { level: riskLevel, reasons: [] },
    capability: CATALOGUE.get(actionType)?.capability ?? null,
    sentence: '',
    target: null,
    denialTarget: '',
    changes: '',
    isIrreversible: false,
    apps: [],
    paths: [],
  };
}

function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
