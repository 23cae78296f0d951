import { approvalHabit } from './approval-habit.ts';
import { evidenceOf, inspect } from './evidence.ts';
import { type Facts, HOUR_MS } from './facts.ts';
import { type Finding, seconds } from './finding.ts';
import { onsetSentence, toldOnset } from './metric-onset.ts';

/** Answers to prompts began to come much faster, or much later, than this person usually gives them. */
export function answerTimeChange(facts: Facts): Finding[] {
  const told = toldOnset(facts, 'confirmation_response_p50');
  if (told === undefined) return [];
  const { onset, severity } = told;
  const { value, usual, atMs } = onset;
  const answered = facts.prompts.filter(({ decidedAtMs }) => decidedAtMs !== null && decidedAtMs > atMs - HOUR_MS);
  // Quick approvals are told of as such.
  if (value < usual && approvalHabit(facts).some((habit) => habit.severity !== 'info')) return [];
  return [
    {
      subject: 'answer_time_change',
      category: 'oversight',
      severity,
      title: titleOf(value, usual),
      detail: `${onsetSentence(onset)} The time counts from the moment a prompt could be answered.`,
      metricTypes: ['confirmation_response_p50'],
      evidence: evidenceOf(answered),
      ...inspect(answered),
    },
  ];
}

function titleOf(value: number, usual: number): string {
  return value < usual
    ? `You answered half of the prompts within ${seconds(value)}, usually within ${seconds(usual)}`
    : `Half of your answers took longer than ${seconds(value)}, usually ${seconds(usual)}`;
}
