import type { Plan, PlanStep } from '../../../src/contract/console.ts';
import { mustOpen, titleOf } from '../../../src/contract/first-layer.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../hooks.ts';
import { withTimesInWords } from '../time-words.ts';
import { ExactText, VisibleText } from '../VisibleText.tsx';
import { Evidence } from './Evidence.tsx';
import { Reach } from './Facts.tsx';
import { CONSENT_WORDS, type NumberedStep, numberedSteps, orderWords } from './plan-words.ts';
import { Sentence } from './Sentence.tsx';
import { TargetPicture } from './TargetPicture.tsx';
import type { SeenRefs } from './use-arming.ts';

type Props = {
  plan: Plan;
  confirmationId: string;
  model: Pick<DashboardModel, 'client'>;
  seen: SeenRefs;
  /** The ids of the steps that are unfolded. */
  opened: ReadonlySet<string>;
  onToggle: (id: string) => void;
};

/** The steps of a plan, a numbered line each, in their order. Each unfolds. */
export function PlanSteps({ plan, seen, opened, onToggle, ...rest }: Props) {
  return (
    <ol className="plan-steps" aria-label="Steps">
      {numberedSteps(plan).map((each) => (
        <Step
          key={each.step.id}
          each={each}
          seen={seen}
          {...rest}
          isOpen={opened.has(each.step.id)}
          onToggle={() => onToggle(each.step.id)}
        />
      ))}
    </ol>
  );
}

type StepProps = Pick<Props, 'seen' | 'confirmationId' | 'model'> & {
  each: NumberedStep;
  isOpen: boolean;
  onToggle: () => void;
};

/** A step that needs approval has been seen when its line was on screen, or the end of its text if it has one. */
function Step({ each: { step, number }, seen, isOpen, onToggle, ...rest }: StepProps) {
  const isAsked = step.consent === 'asked';
  const edge = isAsked ? <span ref={seen(`step ${step.id}`)} className="edge" /> : null;
  return (
    <li className={isAsked ? 'plan-step asked' : 'plan-step'} data-risk={step.risk.level}>
      <button
        type="button"
        className="plan-line"
        data-more={mustOpen(step) || undefined}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <span className="plan-number">{number}.</span>{' '}
        <span className="plan-words">
          <Sentence>{titleOf(step)}</Sentence>
          {step.consent !== 'asked' && <span className="hint"> · {CONSENT_WORDS[step.consent]}</span>}
        </span>
      </button>
      {!mustOpen(step) && edge}
      {isOpen && <StepFacts step={step} {...rest} />}
      {mustOpen(step) && isOpen && edge}
    </li>
  );
}

type FactsProps = Pick<Props, 'confirmationId' | 'model'> & { step: PlanStep };

function StepFacts({ step, ...rest }: FactsProps) {
  const now = useNow(30_000);
  const isAsked = step.consent === 'asked';
  const order = orderWords(step);
  const history = step.history === undefined ? [] : [withTimesInWords(step.history, now)];
  return (
    <div className="step-facts">
      {step.target !== undefined && <TargetPicture {...rest} step={step.id} target={step.target} crop={step.crop} />}
      {isAsked && <Evidence {...step} />}
      {isAsked && (
        <p>
          <span className="risk">{step.risk.level}</span> <VisibleText>{step.risk.reasons.join(' ')}</VisibleText>
        </p>
      )}
      {step.window !== undefined && (
        <p>
          The window <VisibleText>{step.window}</VisibleText>
        </p>
      )}
      {step.control !== undefined && (
        <p className="controls">
          <Sentence>{step.control}</Sentence>
        </p>
      )}
      {isAsked && step.script !== undefined && (
        <dl className="facts">
          <Reach script={step.script} />
        </dl>
      )}
      {isAsked && step.script === undefined && step.changes !== undefined && (
        <p>
          <VisibleText>{step.changes}</VisibleText>
        </p>
      )}
      {step.arguments !== '{}' && (
        <pre className="step-arguments" dir="ltr">
          <ExactText>{step.arguments}</ExactText>
        </pre>
      )}
      <p className="hint">
        <code>{step.id}</code> on <VisibleText>{step.device}</VisibleText>
        {[order, ...history].filter((words) => words !== '').map((words) => ` · ${words}`)}
      </p>
    </div>
  );
}
