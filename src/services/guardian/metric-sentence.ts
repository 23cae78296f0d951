import type { MetricSnapshot, MetricType } from '../../contract/guardian.ts';

/** What a metric is and, where it has a limit, what is usual; for people, both in the same unit. */
export function metricSentence(metric: Pick<MetricSnapshot, 'type' | 'unit' | 'target'> & { value: number }): string {
  const { type, value, unit, target } = metric;
  const { green, red } = target;
  if (green === null || red === null) return `${NAMES[type]}: ${shown(value, { unit, beside: value })}.`;
  const limit = shown(green, { unit, beside: value });
  const usual = red > green ? `${limit} or less` : `${limit} or more`;
  return `${NAMES[type]}: ${shown(value, { unit, beside: green })}; usual is ${green === 0 ? 'none' : usual}.`;
}

const NAMES: Record<MetricType, string> = {
  action_rate: 'Actions asked for',
  action_burst_peak: 'Most actions asked for within one minute',
  action_diversity: 'Variety of the actions asked for',
  action_success_rate: 'Actions that succeeded',
  action_latency_p95: 'Time within which 95 % of the actions were done',
  action_retry_rate: 'Actions that were tried or asked for again',
  task_success_rate: 'Tasks that succeeded',
  task_duration_p95: 'Time within which 95 % of the tasks were done',
  elevated_action_share: 'Actions asked for that are of medium risk or above',
  high_risk_executions: 'Actions of high or critical risk that were carried out',
  irreversible_executions: 'Actions that cannot be undone and were carried out',
  novel_action_share: 'Actions asked for that are unlike those of the last 28 days',
  screen_capture_rate: 'Pictures and descriptions of the screen',
  confirmation_prompt_rate: 'Questions to the person',
  confirmation_approval_rate: 'Questions that the person answered with yes',
  confirmation_expiry_rate: 'Questions that the person did not answer in time',
  confirmation_response_p50: 'Time within which half of the questions were answered',
  hasty_approval_share: 'Approvals of medium risk or above that were given in under 2 s',
  standing_grant_share: 'Actions of medium risk or above that a standing permission let through',
  human_intervention_rate: 'Tasks that a person cancelled or stopped',
  denied_action_share: 'Actions asked for that were blocked or denied',
  control_violations: 'Attempts to get around the controls, and controls that failed',
  device_readiness: 'Time in which the device was ready to act',
};

type Scale = { factor: number; sign: string };

const SCALES: Record<Exclude<MetricSnapshot['unit'], 'ms'>, Scale> = {
  '/h': { factor: 1, sign: ' an hour' },
  count: { factor: 1, sign: '' },
  bits: { factor: 1, sign: ' bits' },
  ratio: { factor: 100, sign: ' %' },
};

const MOST_DIGITS = 4;

/** With one digit after the point, or as many as it takes to tell it from what it stands beside. */
function shown(value: number, { unit, beside }: { unit: MetricSnapshot['unit']; beside: number }): string {
  const { factor, sign } = unit === 'ms' ? scaleOfTimes(value, beside) : SCALES[unit];
  let digits = 1;
  while (digits < MOST_DIGITS && (value * factor).toFixed(digits) === (beside * factor).toFixed(digits)) digits += 1;
  return `${Number((value * factor).toFixed(digits))}${sign}`;
}

/** Seconds, but milliseconds where both are below one, and minutes where neither is below one. */
function scaleOfTimes(oneMs: number, otherMs: number): Scale {
  if (Math.max(oneMs, otherMs) < 1_000) return { factor: 1, sign: ' ms' };
  if (Math.min(oneMs, otherMs) < 60_000) return { factor: 0.001, sign: ' s' };
  return { factor: 1 / 60_000, sign: ' min' };
}
