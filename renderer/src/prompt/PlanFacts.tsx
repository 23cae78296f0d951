import type { Plan, PlanStep, Prompt } from '../../../src/contract/console.ts';
import { Quoted } from '../Quoted.tsx';
import { Fact } from './Fact.tsx';
import { OtherStepCard, PlanStepCard } from './PlanStepCard.tsx';
import { numberedSteps } from './plan-words.ts';
import { Reason } from './Reason.tsx';
import type { SeenRefs } from './use-all-seen.ts';

/** The plan of a task: first the steps that need approval, each with its exact arguments, then the others in a line each. */
export function PlanFacts({ prompt, plan, seen }: { prompt: Prompt; plan: Plan; seen: SeenRefs }) {
  const steps = numberedSteps(plan);
  const isAsked = ({ step }: { step: PlanStep }) => step.consent === 'asked';
  const others = steps.filter((step) => !isAsked(step));
  return (
    <>
      {prompt.task !== undefined && (
        <p className="plan-name">
          Its task: <Quoted>{prompt.task.name}</Quoted> <span className="hint">Requester's words, not verified</span>
        </p>
      )}
      <p className="plan-about">One answer for these steps, exactly as they stand here:</p>
      <ol className="plan-steps" aria-label="Steps that need your approval">
        {steps.filter(isAsked).map(({ step, number }) => (
          <PlanStepCard key={step.id} step={step} number={number} seen={seen} />
        ))}
      </ol>
      {others.length > 0 && (
        <>
          <p className="plan-about">The other steps:</p>
          <ol className="plan-steps others" aria-label="Other steps">
            {others.map(({ step, number }) => (
              <OtherStepCard key={step.id} step={step} number={number} />
            ))}
          </ol>
        </>
      )}
      {prompt.reason !== undefined && (
        <dl className="facts">
          <Fact name="Reason">
            <Reason>{prompt.reason}</Reason>
          </Fact>
        </dl>
      )}
    </>
  );
}
