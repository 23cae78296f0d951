import type { PlanStep } from '../../../src/contract/console.ts';
import { withTimesInWords } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Contents } from './Contents.tsx';
import { CONSENT_WORDS, orderWords } from './plan-words.ts';
import { Script } from './Script.tsx';
import type { SeenRefs } from './use-all-seen.ts';

type Props = { step: PlanStep; number: number };

/** A step that needs approval, with everything about it down to its end, which must be on screen before Allow unlocks. */
export function PlanStepCard({ step, number, seen }: Props & { seen: SeenRefs }) {
  const { id, sentence, risk } = step;
  return (
    <li className="plan-step asked" data-risk={risk.level}>
      <Title number={number} id={id} sentence={sentence} />
      <p className="plan-risk">
        <span className="risk">{risk.level}</span> <VisibleText>{risk.reasons.join(' ')}</VisibleText>
      </p>
      {step.window !== undefined && (
        <p>
          The window <VisibleText>{step.window}</VisibleText>
        </p>
      )}
      <p>
        <VisibleText>{step.changes ?? ''}</VisibleText>
      </p>
      {step.script !== undefined && <Script script={step.script} />}
      {step.contents !== undefined && <Contents contents={step.contents} />}
      {step.arguments === '{}' ? <p className="hint">No arguments</p> : <ExactArguments text={step.arguments} />}
      <StepHint step={step} />
      <span ref={seen(`step ${id}`)} className="edge" />
    </li>
  );
}

/** A step that this answer does not decide about. Its arguments are shown when it is opened. */
export function OtherStepCard({ step: { id, consent, sentence, ...step }, number }: Props) {
  const words = consent === 'asked' ? '' : CONSENT_WORDS[consent];
  if (step.arguments === '{}') {
    return (
      <li className="plan-step">
        <Title number={number} id={id} sentence={sentence} />
        <p className="hint">{words}</p>
      </li>
    );
  }
  return (
    <li className="plan-step">
      <Title number={number} id={id} sentence={sentence} />
      <details>
        <summary className="hint">{words}</summary>
        <ExactArguments text={step.arguments} />
      </details>
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
