import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { PlanStepCard } from './PlanStepCard.tsx';
import { Reason } from './Reason.tsx';
import type { SeenRefs } from './use-all-seen.ts';

/** The whole plan of a task, step by step in its order: what is asked for in full, the rest in a line. */
export function PlanFacts({ prompt, plan, seen }: { prompt: Prompt; plan: Plan; seen: SeenRefs }) {
  return (
    <>
      <p className="plan-about">
        One answer for all steps marked <span className="risk">needs your yes</span>
        {prompt.task !== undefined && (
          <>
            {' '}
            of the task “<VisibleText>{prompt.task.name}</VisibleText>”
          </>
        )}
        , exactly as they stand here.
      </p>
      <ol className="plan-steps" aria-label="Steps of the plan">
        {plan.steps.map((step, index) => (
          <PlanStepCard key={step.id} step={step} number={index + 1} seen={seen} />
        ))}
      </ol>
      {prompt.reason !== undefined && (
        <dl className="facts">
          <dt>They say</dt>
          <dd>
            <Reason userId={prompt.requester.userId}>{prompt.reason}</Reason>
          </dd>
        </dl>
      )}
    </>
  );
}
