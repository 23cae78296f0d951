import { useContext } from 'react';
import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { titleOf } from '../../../src/contract/first-layer.ts';
import { HomeContext, withHome } from '../home.ts';
import { askedSteps, planCountWords } from './plan-words.ts';
import { Sentence } from './Sentence.tsx';

/** Above so many characters a title takes room and words that the rest of the first layer needs. */
const LONG = 90;

type Props = {
  prompt: Prompt;
  plan: Plan | undefined;
};

/** The request in one line, in Handrail's own words. A plan with steps that do not ask says how many do. */
export function Headline({ prompt, plan }: Props) {
  const isRisky = prompt.risk.level === 'high' || prompt.risk.level === 'critical';
  const title = withHome(titleOf(prompt), useContext(HomeContext));
  return (
    <>
      {isRisky && <p className="risk-band">{prompt.risk.level === 'high' ? 'High risk' : 'Critical risk'}</p>}
      <h1 id="prompt-sentence" data-long={title.length > LONG || undefined}>
        <Sentence>{title}</Sentence>
      </h1>
      {plan !== undefined && askedSteps(plan).length < plan.steps.length && (
        <p className="plan-count">{planCountWords(plan)}</p>
      )}
    </>
  );
}
