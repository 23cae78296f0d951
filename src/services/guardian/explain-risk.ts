import type { InsightStep, MetricSnapshot, MetricType } from '../../contract/guardian.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { RiskCause, RiskContributor } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import type { Risk } from '../../guardian/risk/assess-risk.ts';
import { BY_ACTIONS } from '../../guardian/risk/own-approvals.ts';
import { failureSentence, HELD_STEPS, type HeldControl, heldSentence } from '../../guardian/risk/refusing-controls.ts';
import { type Contributor, countersBehind } from '../../guardian/risk/risk-score.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';
import { withName } from './insights.ts';
import { causeSentence } from './metric-sentence.ts';
import type { Happened } from './risk.ts';
import type { Span } from './time-windows.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Names, Viewer } from './viewer.ts';

type Parts = {
  port: AgentPort;
  names: Names;
  usualIn: UsualIn;
  signsAt(toMs: number): readonly Sign[];
};

/** A window with its events, its metrics and its risk. */
export type Assessed = Happened & { risk: Risk; metrics: MetricSnapshot[] };

const ACTIVITY = '/api/console/activity';
const TASKS = '/api/console/tasks';
const STATUS = '/api/console/status';

type Of = {
  requester: string | undefined;
  held: HeldControl | undefined;
  isJournal: boolean;
  isApproved: boolean;
};

const look = (label: string, target: string | null): InsightStep => ({ kind: 'inspect', label, target });

const ALLOWED = look('Look at the actions that you allowed', ACTIVITY);

/** A step that needs no requester. */
const STEPS: Partial<Record<RiskCause, InsightStep>> = {
  action_latency_p95: look('Look at the latest actions', ACTIVITY),
  task_success_rate: look('Look at the latest tasks', TASKS),
  task_duration_p95: look('Look at the latest tasks', TASKS),
  human_intervention_rate: look('Look at the latest tasks', TASKS),
  action_success_rate: look('Look at the actions that failed', ACTIVITY),
  confirmation_approval_rate: ALLOWED,
  confirmation_response_p50: ALLOWED,
  hasty_approval_share: ALLOWED,
  confirmation_expiry_rate: look('Look at the prompts that wait', '/api/console/confirmations'),
  device_readiness: look('Look at the state of the agent', STATUS),
};

/**
 * The next step for a cause. `requester`: the name of the one that most of it came from; only then is pausing it a step.
 * `held`: the weightiest control that held. `isJournal`: the check of the journal failed. `isApproved`: the person approved what ran.
 */
export function nextStep(cause: RiskCause, { requester, held, isJournal, isApproved }: Of): InsightStep {
  if (cause === 'controls_held' && held !== undefined) return HELD_STEPS[held];
  if (cause === 'control_violations') {
    return isJournal
      ? look('Check the journal', '/api/console/audit/verify')
      : look('Look at the latest actions', ACTIVITY);
  }
  if (cause === 'standing_grant_share') {
    return { kind: 'review_grants', label: 'Look at your grants', target: requester ?? null };
  }
  const step = STEPS[cause];
  if (step !== undefined) return step;
  if (isApproved && BY_ACTIONS.has(cause)) return ALLOWED;
  if (requester === undefined) return look('Look at the latest actions', ACTIVITY);
  return { kind: 'pause_requester', label: `Pause ${requester}`, target: requester };
}

/** The codes of refusals behind a control that held, and the kind of their sources. */
const REFUSALS: Partial<Record<HeldControl, { kind: 'origin' | 'requester'; codes: readonly ProblemCode[] }>> = {
  webPage: { kind: 'origin', codes: ['cross_site_request', 'origin_not_allowed'] },
  host: { kind: 'origin', codes: ['host_not_allowed'] },
  userKey: { kind: 'requester', codes: ['user_key_invalid'] },
};

/** The requester that more than half of a cause came from, if there is one. */
function mainRequester({ store }: Context, span: Span, cause: RiskCause): string | undefined {
  if (cause === 'controls_held') return undefined;
  return mainOf(store.recording.parts(span, 'requester', { count: countersBehind(cause), total: [] }));
}

/** The web page or the user id that more than half of the attempts against a control came from, as far as their source is known. */
function sourceOfHeld(
  { store }: Context,
  span: Span,
  control: HeldControl | undefined,
): { kind: 'origin' | 'requester'; name: string } | undefined {
  const refusals = control === undefined ? undefined : REFUSALS[control];
  if (refusals === undefined) return undefined;
  const sources = store.recording.refusedSources(span, refusals.codes);
  const name = mainOf(sources.map(({ source, times }) => ({ key: source, count: times })));
  return name === undefined ? undefined : { kind: refusals.kind, name };
}

/** The key with more than half of all. */
function mainOf(parts: readonly { key: string; count: number }[]): string | undefined {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  return parts.find(({ key, count }) => key !== '' && 2 * count > all)?.key;
}

/** Explains each cause of a risk to a person: its numbers, its source, its time, and the next step. */
export function createExplainRisk(context: Context, { port, names, usualIn, signsAt }: Parts) {
  function deviceBehind(cause: RiskCause): string | undefined {
    return cause === 'device_readiness' ? port.agent()?.hostname : undefined;
  }

  /** Only the person is told which web pages they opened. */
  function heldSource({ span, risk }: Assessed, viewer: Viewer): RiskContributor['source'] {
    const source = sourceOfHeld(context, span, risk.held[0]?.control);
    if (source === undefined) return null;
    if (source.kind === 'origin') return viewer.kind === 'person' ? source : null;
    return { kind: source.kind, name: names.user(viewer, source.name) };
  }

  /** The insight behind a cause, where that says more than the metric. */
  function signOf(cause: RiskCause, { span }: Assessed): Sign | undefined {
    return signsAt(span.toMs).find(({ risk }) => risk.cause === cause);
  }

  function sentenceOf(cause: RiskCause, { span, recorded, risk, metrics }: Assessed): string {
    if (cause === 'controls_held') return heldSentence(risk.held);
    if (cause === 'requesters') return '';
    if (cause === 'control_violations') return failureSentence(recorded.rollup);
    const metric = metrics.find(({ type }) => type === cause);
    if (metric === undefined || metric.value === null) return '';
    const { unit, target, value } = metric;
    return causeSentence({ type: cause, unit, target, value }, usualIn(span).medianOf(cause));
  }

  function contributor({ cause, points }: Contributor, assessed: Assessed, viewer: Viewer): RiskContributor {
    const { span, recorded, risk } = assessed;
    const sign = signOf(cause, assessed);
    const userId = sign?.userId ?? mainRequester(context, span, cause);
    const requester = userId === undefined ? undefined : names.user(viewer, userId);
    const sentence = sign && `${withName(sign.title, requester ?? '')}.`;
    const source = sourceOf({ requester, device: deviceBehind(cause) });
    const seen = context.store.recording.firstAndLast(countersBehind(cause), span);
    const isJournal = recorded.rollup.counters.journalBroken > 0;
    return {
      metricType: sign?.metricTypes[0] ?? metricTypeOf(cause),
      points,
      cause,
      message: sentence ?? sentenceOf(cause, assessed),
      source: cause === 'controls_held' ? heldSource(assessed, viewer) : source,
      since: seen === undefined ? null : timestamp(seen.firstMs),
      last: seen === undefined ? null : timestamp(seen.lastMs),
      action: nextStep(cause, { requester, held: risk.held[0]?.control, isJournal, isApproved: risk.isApproved }),
    };
  }

  return (assessed: Assessed, viewer: Viewer): RiskContributor[] =>
    assessed.risk.contributors.map((each) => contributor(each, assessed, viewer));
}

function sourceOf({ requester, device }: { requester: string | undefined; device: string | undefined }) {
  if (requester !== undefined) return { kind: 'requester' as const, name: requester };
  return device === undefined ? null : { kind: 'device' as const, name: device };
}

function metricTypeOf(cause: RiskCause): MetricType {
  if (cause === 'requesters') return 'novel_action_share';
  return cause === 'controls_held' ? 'control_violations' : cause;
}
