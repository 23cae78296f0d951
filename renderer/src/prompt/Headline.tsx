import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { headlineParts } from './headline-parts.ts';
import { planCountWords } from './plan-words.ts';

/** The request in one line. A plan is named by its task, with how many of its steps need approval. */
export function Headline({ prompt, plan }: { prompt: Prompt; plan: Plan | undefined }) {
  const name = plan === undefined ? undefined : prompt.task?.name;
  const { title, noticed } = headlineParts(prompt);
  const isRisky = prompt.risk.level === 'high' || prompt.risk.level === 'critical';
  return (
    <>
      {isRisky && <p className="risk-band">{prompt.risk.level === 'high' ? 'High risk' : 'Critical risk'}</p>}
      <h1 id="prompt-sentence">
        <VisibleText>{name ?? title}</VisibleText>
        {name === undefined && noticed !== '' && (
          <span className="headline-noticed">
            <VisibleText>{noticed}</VisibleText>
          </span>
        )}
      </h1>
      {plan !== undefined && <p className="plan-count">{planCountWords(plan)}</p>}
    </>
  );
}
