import type { MetricType } from '../../contract/guardian.ts';
import type { RiskCause, RiskContributor } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import { failureSentence, heldSentence } from '../../guardian/risk/refusing-controls.ts';
import { type Contributor, countersBehind } from '../../guardian/risk/risk-score.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import type { Assessed } from './assessed.ts';
import { withName } from './insight-view.ts';
import { causeSentence } from './metric-sentence.ts';
import { nextStep } from './next-step.ts';
import { mainRequester, sourceOfHeld } from './risk-sources.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Names, Viewer } from './viewer.ts';

type Parts = {
  port: AgentPort;
  names: Names;
  usualIn: UsualIn;
  signsAt(toMs: number): readonly Sign[];
};

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
