import type { PlanStep } from '../../../src/contract/console.ts';
import { withTimesInWords } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { CONSENT_WORDS, orderWords } from './plan-words.ts';
import type { SeenRefs } from './use-all-seen.ts';

type Props = { step: PlanStep; number: number; seen: SeenRefs };

/** One step of a plan. What a yes would let through shows everything about it, down to its end, which must be seen. */
export function PlanStepCard({ step, number, seen }: Props) {
  const { id, consent, sentence, risk } = step;
  if (consent !== 'asked') {
    return (
      <li className="plan-step">
        <Title number={number} id={id} sentence={sentence} />
        <p className="hint">{CONSENT_WORDS[consent]}</p>
        {consent === 'later' && <ExactArguments text={step.arguments} />}
      </li>
    );
  }
  return (
    <li className="plan-step asked" data-risk={risk.level}>
      <Title number={number} id={id} sentence={sentence} />
      <p className="plan-risk">
        <span className="risk">needs your yes · {risk.level} risk</span>{' '}
        <VisibleText>{risk.reasons.join(' ')}</VisibleText>
      </p>
      <ExactArguments text={step.arguments} />
      {step.window !== undefined && (
        <p>
          The window <VisibleText>{step.window}</VisibleText>
        </p>
      )}
      <p>
        <VisibleText>{step.changes ?? ''}</VisibleText>
      </p>
      <StepHint step={step} />
      <span ref={seen(`step ${id}`)} className="edge" />
    </li>
  );
}

function Title({ number, id, sentence }: { number: number; id: string; sentence: string }) {
  return (
    <h2>
      {number}. <VisibleText>{sentence}</VisibleText> <span className="step-id">{id}</span>
    </h2>
  );
}

function ExactArguments({ text }: { text: string }) {
  return (
    <pre className="step-arguments" dir="ltr">
      <VisibleText>{text}</VisibleText>
    </pre>
  );
}

function StepHint({ step }: { step: PlanStep }) {
  const now = useNow(30_000);
  const order = orderWords(step);
  return (
    <p className="hint">
      on <VisibleText>{step.device}</VisibleText>
      {order !== '' && ` · ${order}`}
      {step.history !== undefined && ` · ${withTimesInWords(step.history, now)}`}
    </p>
  );
}
