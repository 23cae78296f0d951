import type { Facts } from './facts.ts';
import { type Finding, percent } from './finding.ts';
import { onsetSentence, toldOnset } from './metric-onset.ts';

/** The device began to be ready for less of the time than usual. */
export function readinessDrop(facts: Facts): Finding[] {
  const told = toldOnset(facts, 'device_readiness');
  if (told === undefined) return [];
  const { onset, severity } = told;
  return [
    {
      subject: 'readiness_drop',
      category: 'device',
      severity,
      title: `The device was ready for ${percent(onset.value)} of the time, usually for ${percent(onset.usual)}`,
      detail: `${onsetSentence(onset)} Ready means that the agent runs and has every permission it needs.`,
      metricTypes: ['device_readiness'],
      evidence: [],
    },
  ];
}
