/**
 * The rail of RULES.md and CONFIRMATIONS.md, as short as a model of it can be. It knows
 * nothing of the code: levels, verdicts and lives of grants stand here a second time on purpose.
 */

export type Level = 'low' | 'medium' | 'high';
export type Verdict = 'allow' | 'ask' | 'block';
export type Scope = 'once' | 'minutes15' | 'untilQuit' | 'always';

export type Kind = {
  actionType: string;
  parameters: Record<string, string | number | boolean>;
  level: Level;
  reads: boolean;
  /** May not be done under any profile. */
  forbidden?: true;
  /** Cannot be allowed for good. */
  notForGood?: true;
  /** What a grant of it is for, where some parameters only say how the answer is written. */
  grantedAs?: Record<string, string | number | boolean>;
};

export const KINDS: readonly Kind[] = [
  { actionType: 'Wait', parameters: { durationMs: 5 }, level: 'low', reads: true },
  { actionType: 'DescribeScreen', parameters: {}, level: 'low', reads: true },
  { actionType: 'OpenApp', parameters: { appName: 'mousepad' }, level: 'low', reads: false },
  { actionType: 'TakeScreenshot', parameters: {}, level: 'medium', reads: true },
  { actionType: 'TakeScreenshot', parameters: { format: 'png' }, level: 'medium', reads: true, grantedAs: {} },
  { actionType: 'DescribeScreen', parameters: { contents: true }, level: 'medium', reads: true },
  { actionType: 'QuitApp', parameters: { appName: 'mousepad' }, level: 'medium', reads: false, notForGood: true },
  { actionType: 'OpenApp', parameters: { appName: 'xterm' }, level: 'high', reads: false, notForGood: true },
  { actionType: 'QuitApp', parameters: { appName: 'xterm' }, level: 'high', reads: false, notForGood: true },
  { actionType: 'OpenApp', parameters: { appName: 'Handrail' }, level: 'low', reads: false, forbidden: true },
  { actionType: 'QuitApp', parameters: { appName: 'handrail' }, level: 'medium', reads: false, forbidden: true },
];

export const PROFILES = ['observe', 'assist', 'trusted', 'lockdown'] as const;
export type ProfileName = (typeof PROFILES)[number];

const BY_LEVEL: Record<Exclude<ProfileName, 'observe'>, Record<Level, Verdict>> = {
  assist: { low: 'allow', medium: 'ask', high: 'ask' },
  trusted: { low: 'allow', medium: 'allow', high: 'ask' },
  lockdown: { low: 'ask', medium: 'ask', high: 'block' },
};

function verdictUnder(profile: ProfileName, kind: Kind): Verdict {
  if (kind.forbidden) return 'block';
  if (profile === 'observe') return kind.level === 'low' && kind.reads ? 'allow' : 'block';
  return BY_LEVEL[profile][kind.level];
}

const STRICTEST_FIRST: readonly Verdict[] = ['block', 'ask', 'allow'];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GRANT_LASTS_MS = { minutes15: 15 * MINUTE_MS, untilQuit: 480 * MINUTE_MS, always: 90 * DAY_MS };

export type Asked = { userId: string; deviceId: string; kind: Kind; named?: ProfileName | undefined };
type Approval = { isSpent: boolean; policy: number };
type ModelGrant = {
  id: string;
  key: string;
  scope: Exclude<Scope, 'once'>;
  createdAtMs: number;
  lastUsedAtMs: number;
  ended: boolean;
};

export type Model = ReturnType<typeof createModel>;

/** What the person has said so far, and what may be sent because of it. */
export function createModel() {
  const asked = new Map<string, Asked>();
  const sent = new Set<string>();
  const approvals = new Map<string, Approval>();
  const profiles = new Map<string, ProfileName>();
  let grants: ModelGrant[] = [];
  let policy = 0;
  let isPaused = false;

  const keyOf = ({ userId, deviceId, kind: { actionType, parameters, grantedAs = parameters } }: Asked) =>
    JSON.stringify([userId, deviceId, actionType, grantedAs]);

  function verdict({ userId, kind, named }: Asked): Verdict {
    const assigned = profiles.get(userId) ?? profiles.get('*') ?? 'assist';
    const verdicts = [assigned, ...(named === undefined ? [] : [named])].map((each) => verdictUnder(each, kind));
    return STRICTEST_FIRST.find((each) => verdicts.includes(each)) ?? 'block';
  }

  const isLive = (grant: ModelGrant, atMs: number) =>
    !grant.ended &&
    atMs < grant.createdAtMs + GRANT_LASTS_MS[grant.scope] &&
    (grant.scope !== 'always' || atMs < grant.lastUsedAtMs + 30 * DAY_MS);

  /** What allows this to be sent now, used up as it is named; otherwise why nothing does. */
  function useLeave(actionId: string, what: Asked, atMs: number): string | undefined {
    const says = verdict(what);
    if (says === 'block') return 'the rules block it';
    const approval = approvals.get(actionId);
    if (approval !== undefined) return spend(approval);
    if (says === 'allow') return undefined;
    const fitting = grants.filter((each) => each.key === keyOf(what) && isLive(each, atMs));
    for (const grant of fitting) grant.lastUsedAtMs = atMs;
    return fitting.length > 0 ? undefined : 'the rules ask, and neither an approval nor a live grant is there';
  }

  function spend(approval: Approval): string | undefined {
    if (approval.isSpent) return 'its approval was spent before';
    if (approval.policy !== policy) return 'its approval was given under other rules';
    approval.isSpent = true;
    return undefined;
  }

  return {
    asked,
    verdict,
    isPaused: () => isPaused,
    policy: () => policy,
    submitted: (actionId: string, what: Asked) => void asked.set(actionId, what),
    assign(userId: string, profile: ProfileName): void {
      profiles.set(userId, profile);
      policy += 1;
    },
    setPaused(paused: boolean): void {
      isPaused = paused;
    },
    approve: (actionId: string) => void approvals.set(actionId, { isSpent: false, policy }),
    grant(id: string, actionId: string, given: { scope: Exclude<Scope, 'once'>; atMs: number }): void {
      const what = asked.get(actionId);
      if (what === undefined) throw new Error(`nobody asked for ${actionId}`);
      const { scope, atMs } = given;
      grants.push({ id, key: keyOf(what), scope, createdAtMs: atMs, lastUsedAtMs: atMs, ended: false });
    },
    revoke(id: string): void {
      for (const grant of grants) if (grant.id === id) grant.ended = true;
    },
    hasLiveGrant: (what: Asked, atMs: number) => grants.some((each) => each.key === keyOf(what) && isLive(each, atMs)),
    /** A restart: approvals not used end, and so do grants for one run. */
    restarted(): void {
      for (const approval of approvals.values()) approval.isSpent = true;
      grants = grants.filter(({ scope }) => scope !== 'untilQuit');
    },
    /** Why this should not have been sent at that time; nothing when all is well. */
    objectionToSending(actionId: string, { attempt, atMs }: { attempt: number; atMs: number }): string | undefined {
      const what = asked.get(actionId);
      if (what === undefined) return 'nobody asked for it';
      if (sent.has(actionId) || attempt !== 1) return 'it was sent before';
      sent.add(actionId);
      if (isPaused) return 'the person has stopped everything';
      return useLeave(actionId, what, atMs);
    },
  };
}

/** Where a state may lead to. `undefined` is the state of what nobody has asked for yet. */
export const STEPS: Record<string, readonly string[]> = {
  start: ['awaiting_confirmation', 'queued', 'blocked'],
  awaiting_confirmation: ['queued', 'denied', 'expired', 'cancelled'],
  queued: ['running', 'expired', 'cancelled', 'failed'],
  running: ['success', 'failed', 'cancelled', 'unknown'],
};
