import { attemptTitle, heldWords } from '../risk/control-sentences.ts';
import { HELD_STEPS } from '../risk/held-steps.ts';
import { HELD_CONTROLS, type Held, type HeldCounts, heldControls, heldCounts } from '../risk/refusing-controls.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

/** From this share of risk on, attempts of a kind are worth a warning; from the second on, they are high. Our own choice. */
const WARNING = 0.2;
const HIGH = 0.4;

const NEVER = Object.fromEntries(HELD_CONTROLS.map((control) => [control, 0])) as HeldCounts;

/** Keys, codes, addresses, answers or results that Handrail refused. A few stray requests are no warning. */
export function refusedCredentials({ day }: Facts): Finding[] {
  const held = heldControls(heldCounts(day.rollup), NEVER);
  const [worst] = held;
  if (worst === undefined) return [];
  return [
    {
      subject: 'refused_credentials',
      category: 'safety',
      severity: severityOf(worst),
      title: attemptTitle(worst),
      detail: `Refused in the last day: ${heldWords(held)}. None had an effect.`,
      metricTypes: ['control_violations'],
      evidence: [],
      action: HELD_STEPS[worst.control],
    },
  ];
}

function severityOf({ share }: Held): Finding['severity'] {
  if (share >= HIGH) return 'high';
  return share >= WARNING ? 'warning' : 'info';
}
