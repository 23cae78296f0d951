import type { ActionStatus, RiskLevel } from '../../contract/action.ts';
import type { PersonsAnswer } from '../../domain/persons-answer.ts';
import type { Recorded } from '../recording/metrics.ts';
import type { RequesterLine } from '../requesters/requester-line.ts';
import type { Share } from '../statistics/distributions.ts';
import { type Finding, REQUESTER } from './finding.ts';

/** A requested action; times in epoch ms. `durationMs`: how long it ran on the device. */
export type Request = {
  actionId: string;
  userId: string;
  actionType: string;
  /** The same for the same action. */
  digest: string;
  risk: RiskLevel;
  status: ActionStatus;
  errorCode: string | null;
  createdAtMs: number;
  startedAtMs: number | null;
  durationMs: number | null;
  taskId: string | null;
  grantId: string | null;
  /** The plan of its task that the person allowed, if it is a step of one. */
  planId: string | null;
  /** The app that it acts in, where it names one. */
  app: string | null;
};

/** A question to the person; times in epoch ms. */
export type Prompt = {
  /** Nothing, where it asked for the plan of a task and nothing was sent on it (yet). */
  actionId: string | null;
  userId: string;
  risk: RiskLevel;
  /** `withdrawn`: a stop, the requester or a change ended it before its time was over. */
  status: 'pending' | PersonsAnswer | 'expired' | 'withdrawn';
  createdAtMs: number;
  answerableAtMs: number | null;
  decidedAtMs: number | null;
};

/** A prompt that the person answered. Times in milliseconds. */
export type Answer = {
  /** Nothing where the prompt was for a plan and no action was sent for it (yet). */
  actionId: string | null;
  userId: string;
  risk: RiskLevel;
  isAllowed: boolean;
  decidedAtMs: number;
  /** How long the person had the prompt in front of them, without the forced delay of Allow; `null` where it was never fully shown. */
  tookMs: number | null;
  /** The length of the text to read; `null` where it was not recorded. */
  characters: number | null;
  /** Exactly this request of this requester had been allowed before. */
  isRepeat: boolean;
  /** `null` where the page did not say. */
  wasOpenedToEnd: boolean | null;
};

/** A standing answer that is good now; times in epoch ms. */
export type LiveGrant = {
  id: string;
  userId: string;
  actionType: string;
  scope: string;
  useCount: number;
  createdAtMs: number;
  lastUsedAtMs?: number | undefined;
};

/** Requests of one hour that were refused because the device lacks a capability, such as `canOpenApps`. */
export type RefusedRequests = { userId: string; capability: string; times: number };

/**
 * Standing grants that the person gave in the last two weeks, and in up to six weeks before that. `daysBefore`: how many days these
 * were; fewer where the desktop is new. `days`: on how many of the last 21 days, in local time, the person gave any.
 */
export type GrantsGiven = { lately: number; before: number; daysBefore: number; days: number };

/** The effects of a requester in the last five days and in the four weeks before: `hits` could not be seen, of `total`. */
export type Effects = { userId: string; now: Share; before: Share };

/** The tasks of a requester in seven days, and how many of them the person cancelled or stopped. */
export type Tasks = { userId: string; stopped: number; started: number };

export type MissingPermission = { name: string; platform: string };

/** The days of normal weeks, and the latest days, oldest first, of which today is the last. */
export type DriftFacts = { normal: readonly Recorded[]; lately: readonly Recorded[] };

/** The input of the rules. Lists are newest first and bounded, so a count taken from a full list is a lower bound. */
export type Facts = {
  nowMs: number;
  /** The last hour and day, counted. */
  hour: Recorded;
  day: Recorded;
  /** The requests of the last day. */
  requests: readonly Request[];
  prompts: readonly Prompt[];
  /** The answers of the last four weeks. */
  answers: readonly Answer[];
  newRequesters: readonly { userId: string; firstSeenAtMs: number }[];
  refusedRequests: readonly RefusedRequests[];
  grants: readonly LiveGrant[];
  grantsGiven: GrantsGiven;
  missingPermissions: readonly MissingPermission[];
  /** The lines of today, and the unusual ones of yesterday. */
  requesters: readonly RequesterLine[];
  effects: readonly Effects[];
  tasks: readonly Tasks[];
  drift: DriftFacts;
  /** The subjects of the warnings that are given now. A rule with a number gives up its warning at another number than it began at. */
  raised: ReadonlySet<string>;
};

/** How much is looked at of each list. */
export const LOOKED_AT = {
  requests: 500,
  prompts: 500,
  /** Four weeks of most desktops; some days of a busy one. */
  answers: 600,
  newRequesters: 50,
  refusedRequests: 500,
  grants: 500,
} as const;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** The times over which given grants are counted. */
export const GRANTS_COUNTED = { latelyDays: 14, mostDaysBefore: 42, spreadDays: 21 } as const;

export const FOUR_WEEKS_MS = 28 * DAY_MS;

/** Enough to see what it is about; the action log has the rest. */
const MOST = 20;

type OfAction = { actionId: string | null };

/** The actions that show something, in the order they are given: newest first. */
export function evidenceOf(shown: readonly OfAction[]): string[] {
  return [...new Set(shown.flatMap(({ actionId }) => actionId ?? []))].slice(0, MOST);
}

/** The requester that more than half of the evidence comes from, if there is one. */
function mainRequester(shown: readonly { userId: string }[]): string | undefined {
  const byUser = Map.groupBy(shown, ({ userId }) => userId);
  return [...byUser].find(([, ofUser]) => ofUser.length * 2 > shown.length)?.[0];
}

/** Offers to pause the requester of more than half of the actions. Without one it offers to inspect the latest action, if there is any. */
export function pauseOrInspect(
  shown: readonly (OfAction & { userId: string })[],
): Pick<Finding, 'action' | 'userId' | 'evidence'> {
  const evidence = evidenceOf(shown);
  const userId = mainRequester(shown);
  if (userId === undefined) return { evidence, ...inspect(shown) };
  const label = `Pause ${REQUESTER}`;
  return { evidence, userId, action: { kind: 'pause_requester', label, target: REQUESTER } };
}

/** The app that most of them act in, as the end of a sentence; nothing where none names one. */
export function mostIn(shown: readonly { app: string | null }[]): string {
  const byApp = Map.groupBy(shown, ({ app }) => app ?? '');
  const [most] = [...byApp].filter(([app]) => app !== '').toSorted(([, one], [, other]) => other.length - one.length);
  return most === undefined ? '' : `, most in ${most[0]}`;
}

/** Look at the latest of them. */
export function inspect(shown: readonly OfAction[]): Pick<Finding, 'action'> {
  const [latest] = evidenceOf(shown);
  if (latest === undefined) return {};
  return { action: { kind: 'inspect', label: 'Look at the latest of them', target: latest } };
}
