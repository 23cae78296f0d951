import type { MetricSnapshot, MetricType } from '../../../src/contract/guardian.ts';
import { valueWords } from './metric-words.ts';

type Link = { type: MetricType; words: string; status: MetricSnapshot['status'] };

/** How many prompts the person allowed and denied. */
export type Answers = { allowed: number; denied: number };

/** How the person answered prompts, in one sentence, and the metrics that judge it. */
export function oversightWords(
  metrics: readonly MetricSnapshot[],
  answers: Answers,
): { sentence: string; links: Link[] } {
  const of = (type: MetricType) => metrics.find((metric) => metric.type === type);
  const links = LINKS.flatMap(([type, name]): Link[] => {
    const metric = of(type);
    if (metric === undefined || metric.value === null) return [];
    return [{ type, words: `${name}: ${valueWords(metric.value, metric.unit)}`, status: metric.status }];
  });
  return { sentence: sentenceOf(answers, of('confirmation_response_p50')), links };
}

const LINKS = [
  ['hasty_approval_share', 'Approved in less than 2 s'],
  ['confirmation_expiry_rate', 'Expired without an answer'],
  ['confirmation_prompt_rate', 'Prompts'],
] as const;

function sentenceOf({ allowed, denied }: Answers, response: MetricSnapshot | undefined): string {
  const answered = allowed + denied;
  if (answered === 0) return 'You answered no requests.';
  // A median of few answers is not told.
  const medianMs = response?.value ?? null;
  const median = medianMs === null ? '' : `; median ${medianMs < 1_000 ? 'below 1 s' : valueWords(medianMs, 'ms')}`;
  return `You approved ${allowed} of ${answered} ${answered === 1 ? 'request' : 'requests'}${median}.`;
}
