import type { MetricType } from '../../contract/guardian.ts';
import type { RiskCause, RiskContributor } from '../../contract/risk.ts';
import type { Usual } from '../../guardian/metrics/usual.ts';
import { countersBehind } from '../../guardian/risk/cause-counters.ts';
import { failureSentence, heldSentence } from '../../guardian/risk/control-sentences.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import type { Assessed } from './assessed.ts';
import { metricSentence } from './metric-sentence.ts';
import { nextStep } from './next-step.ts';
import { mainRequester, sourceOfHeld } from './risk-sources.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Names, Viewer } from './viewer.ts';

type Parts = { port: AgentPort; names: Names; usualIn: UsualIn };

/** Explains each cause of a risk to a person: its numbers, its source, its time, and the next step. */
export function createExplainRisk(context: Context, { port, names, usualIn }: Parts) {
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

  return (assessed: Assessed, viewer: Viewer): RiskContributor[] => {
    const { span, recorded, risk } = assessed;
    const usual = usualIn(span);
    return risk.contributors.map(({ cause, points }) => {
      const userId = mainRequester(context, span, cause);
      const requester = userId === undefined ? undefined : names.user(viewer, userId);
      const seen = context.store.recording.firstAndLast(countersBehind(cause), span);
      const isJournal = recorded.rollup.counters.journalBroken > 0;
      return {
        metricType: metricTypeOf(cause),
        points,
        cause,
        message: sentenceOf(cause, assessed, usual),
        source:
          cause === 'controls_held'
            ? heldSource(assessed, viewer)
            : sourceOf({ requester, device: deviceBehind(cause) }),
        since: seen === undefined ? null : timestamp(seen.firstMs),
        last: seen === undefined ? null : timestamp(seen.lastMs),
        action: nextStep(cause, { requester, held: risk.held[0]?.control, isJournal }),
      };
    });
  };
}

function sentenceOf(cause: RiskCause, { recorded, risk, metrics }: Assessed, usual: Usual): string {
  if (cause === 'controls_held') return heldSentence(risk.held);
  if (cause === 'control_violations') return failureSentence(recorded.rollup);
  const metric = metrics.find(({ type }) => type === cause);
  if (metric === undefined || metric.value === null) return '';
  return metricSentence({ ...metric, type: cause, value: metric.value, usual: usual.medianOf(cause) });
}

function sourceOf({ requester, device }: { requester: string | undefined; device: string | undefined }) {
  if (requester !== undefined) return { kind: 'requester' as const, name: requester };
  return device === undefined ? null : { kind: 'device' as const, name: device };
}

function metricTypeOf(cause: RiskCause): MetricType {
  return cause === 'controls_held' ? 'control_violations' : cause;
}
