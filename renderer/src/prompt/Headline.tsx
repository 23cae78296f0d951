import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
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

/** How the daemon begins the part of a sentence that tells of the dangers in a script or a file. */
const NOTICED = '. Handrail noticed: ';

/** The sentence of a prompt as its title and the dangers noticed in its script or file. Nothing of the sentence is left out. */
export function headlineParts({ sentence, script, contents }: Pick<Prompt, 'sentence' | 'script' | 'contents'>): {
  title: string;
  noticed: string;
} {
  const dangers = (script ?? contents)?.noticed ?? [];
  const at = dangers.length === 0 ? -1 : sentence.lastIndexOf(NOTICED);
  if (at === -1) return { title: sentence, noticed: '' };
  return { title: sentence.slice(0, at + 1), noticed: sentence.slice(at + 1) };
}
