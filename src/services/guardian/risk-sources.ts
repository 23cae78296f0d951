import { encodeTime } from 'ulid';
import type { ActionStatus } from '../../contract/action.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { isCapture } from '../../domain/catalogue.ts';
import { LOOKED_AT } from '../../guardian/insights/facts.ts';
import type { HeldControl } from '../../guardian/risk/refusing-controls.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import type { Context } from '../context.ts';
import type { Span } from './windows.ts';

const HOUR_MS = 3_600_000;

type Matches = (group: StoredGroup) => boolean;

const every: Matches = () => true;
const isElevated: Matches = ({ risk }) => risk !== 'low';
const isHigh: Matches = ({ risk }) => risk === 'high' || risk === 'critical';
const showsScreen: Matches = ({ type }) => type !== undefined && isCapture(type);
const RAN: readonly (ActionStatus | undefined)[] = ['running', 'success', 'failed', 'unknown'];
const hasRun: Matches = ({ status }) => RAN.includes(status);

/** The actions behind a cause. Prompts are told by the actions that are asked about, which are above low risk. */
const BEHIND: Partial<Record<RiskCause, Matches>> = {
  action_rate: every,
  action_burst_peak: every,
  action_diversity: every,
  novel_action_share: every,
  action_retry_rate: every,
  action_latency_p95: hasRun,
  action_success_rate: ({ status }) => status === 'failed',
  elevated_action_share: isElevated,
  high_risk_executions: (group) => isHigh(group) && hasRun(group),
  screen_capture_rate: (group) => showsScreen(group) && hasRun(group),
  denied_action_share: ({ status }) => status === 'denied' || status === 'blocked',
};

/** The codes of refusals behind a control that held, and the kind of their sources. */
const REFUSALS: Partial<Record<HeldControl, { kind: 'origin' | 'requester'; codes: readonly ProblemCode[] }>> = {
  webPage: { kind: 'origin', codes: ['cross_site_request', 'origin_not_allowed'] },
  host: { kind: 'origin', codes: ['host_not_allowed'] },
  userKey: { kind: 'requester', codes: ['user_key_invalid'] },
};

const PROMPTS: readonly RiskCause[] = [
  'confirmation_prompt_rate',
  'confirmation_approval_rate',
  'confirmation_expiry_rate',
  'confirmation_response_p50',
  'hasty_approval_share',
];

/**
 * The requester that more than half of a cause came from, if there is one. Actions are counted exactly, by whole hours; of prompts, the
 * latest 500 are looked at. Rows of actions do not tell whether they can be undone, so irreversible ones have a source only where
 * one requester made all actions that ran.
 */
export function createRiskSources({ store }: Context) {
  function groupsIn({ fromMs, toMs }: Span): StoredGroup[] {
    const hours = { fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS, toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS };
    return store.actionGroups.inHours(hours, ['user', 'type', 'risk', 'status']);
  }

  function promptsIn({ fromMs, toMs }: Span): { user: string; count: number }[] {
    const prompts = store.evidence.prompts({ afterId: `cnf_${encodeTime(fromMs, 10)}`, limit: LOOKED_AT.prompts });
    return prompts.filter(({ createdAtMs }) => createdAtMs < toMs).map(({ userId }) => ({ user: userId, count: 1 }));
  }

  return (span: Span): ((cause: RiskCause) => string | undefined) => {
    let groups: StoredGroup[] | undefined;
    return (cause) => {
      if (PROMPTS.includes(cause)) return mainOf(promptsIn(span), { above: 0.5 });
      const isBehind = cause === 'irreversible_executions' ? hasRun : BEHIND[cause];
      if (isBehind === undefined) return undefined;
      groups ??= groupsIn(span);
      return mainOf(groups.filter(isBehind), { above: cause === 'irreversible_executions' ? 0.999_999 : 0.5 });
    };
  };
}

/** The web page or the user id that more than half of the attempts against a control came from, as far as their source is known. */
export function sourceOfHeld(
  { store }: Context,
  span: Span,
  control: HeldControl | undefined,
): { kind: 'origin' | 'requester'; name: string } | undefined {
  const refusals = control === undefined ? undefined : REFUSALS[control];
  if (refusals === undefined) return undefined;
  const sources = store.recording.refusedSources(span, refusals.codes);
  const name = mainOf(
    sources.map(({ source, times }) => ({ user: source, count: times })),
    { above: 0.5 },
  );
  return name === undefined ? undefined : { kind: refusals.kind, name };
}

/** The user with more than a share of all. */
function mainOf(
  groups: readonly Pick<StoredGroup, 'user' | 'count'>[],
  { above }: { above: number },
): string | undefined {
  const counts = new Map<string, number>();
  for (const { user = '', count } of groups) counts.set(user, (counts.get(user) ?? 0) + count);
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return [...counts].find(([, count]) => count > above * all)?.[0];
}
