import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { headlineParts } from './headline-parts.ts';
import { askedSteps, planCountWords } from './plan-words.ts';

/** The request in one line, in Handrail's own words. One step of a plan is named as such; the sentence counts several itself. */
export function Headline({ prompt, plan }: { prompt: Prompt; plan: Plan | undefined }) {
  const { title, noticed } = headlineParts(prompt);
  const isRisky = prompt.risk.level === 'high' || prompt.risk.level === 'critical';
  return (
    <>
      {isRisky && <p className="risk-band">{prompt.risk.level === 'high' ? 'High risk' : 'Critical risk'}</p>}
      <h1 id="prompt-sentence">
        <VisibleText>{title}</VisibleText>
        {noticed !== '' && (
          <span className="headline-noticed">
            <VisibleText>{noticed}</VisibleText>
          </span>
        )}
      </h1>
      {plan !== undefined && askedSteps(plan).length === 1 && <p className="plan-count">{planCountWords(plan)}</p>}
    </>
  );
}
