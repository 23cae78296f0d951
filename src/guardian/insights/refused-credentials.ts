import type { Counter } from '../recording/rollup.ts';
import type { Facts } from './facts.ts';
import { counted, type Finding } from './finding.ts';

const MANY_REFUSALS = 10;
const KINDS: readonly { counter: Counter; what: string }[] = [
  { counter: 'credentialRefused', what: 'keys and codes' },
  { counter: 'placeRefused', what: 'foreign hosts and pages' },
  { counter: 'approvalRefused', what: 'answers to prompts by others than the person' },
  { counter: 'digestMismatched', what: 'answers to another state of a prompt' },
  { counter: 'replayed', what: 'results that nobody waited for' },
];

/** Somebody tried keys, codes, addresses, answers or results that are not theirs. */
export function refusedCredentials({ day }: Facts): Finding[] {
  const kinds = KINDS.map(({ counter, what }) => ({ what, times: day.rollup.counters[counter] }));
  const times = kinds.reduce((sum, kind) => sum + kind.times, 0);
  if (times === 0) return [];
  const named = kinds.filter((kind) => kind.times > 0).map((kind) => `${kind.what} (${kind.times})`);
  return [
    {
      subject: 'refused_credentials',
      category: 'safety',
      severity: times >= MANY_REFUSALS ? 'high' : 'warning',
      title: `${counted(times, 'refused attempt')} within a day`,
      detail: `Something tried what it may not: ${named.join(', ')}. None of it had an effect.`,
      metricTypes: ['control_violations'],
      evidence: [],
    },
  ];
}
