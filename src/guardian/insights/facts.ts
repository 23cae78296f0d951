import type { ActionStatus, RiskLevel } from '../../contract/action.ts';
import type { Trend } from '../../contract/guardian.ts';
import type { Recorded } from '../recording/metrics.ts';
import type { SlowOnset } from '../slow-onset.ts';

/** What was asked for; times in epoch ms. `durationMs`: how long it ran on the device. */
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
  stepId: string | null;
  grantId: string | null;
};

/** What a person was asked; times in epoch ms. */
export type Prompt = {
  /** Nothing, where it asked for the plan of a task and nothing was sent on it (yet). */
  actionId: string | null;
  userId: string;
  risk: RiskLevel;
  status: 'pending' | 'allowed' | 'denied' | 'expired';
  createdAtMs: number;
  answerableAtMs: number | null;
  decidedAtMs: number | null;
};

/** A request at high or critical risk, of a kind that this requester had never made before the day began. */
export type FirstHighRisk = Pick<Request, 'actionId' | 'userId' | 'actionType' | 'risk' | 'startedAtMs'> & {
  /** The person was asked about it, by itself or in a plan, and said yes. */
  wasAllowed: boolean;
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

export type MissingPermission = { name: string; platform: string };

/** What rules look at. Lists are the newest first and bounded, so a number taken from one that is full is a least number. */
export type Facts = {
  nowMs: number;
  /** The last hour and day, counted. */
  hour: Recorded;
  day: Recorded;
  /** Of the last day. */
  requests: readonly Request[];
  prompts: readonly Prompt[];
  firstHighRisk: readonly FirstHighRisk[];
  newRequesters: readonly { userId: string; firstSeenAtMs: number }[];
  grants: readonly LiveGrant[];
  missingPermissions: readonly MissingPermission[];
  trends: readonly Trend[];
  slowOnsets: readonly SlowOnset[];
};

/** How much is looked at of each list. */
export const LOOKED_AT = { requests: 500, prompts: 500, firstHighRisk: 200, newRequesters: 50, grants: 500 } as const;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
