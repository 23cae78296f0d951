import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { VisibleText } from '../VisibleText.tsx';
import { askedSteps, planCountWords } from './plan-words.ts';

type Props = {
  prompt: Prompt;
  plan: Plan | undefined;
  /** How many equal requests the one answer is for. */
  count: number;
};

/** The request in one line, in Handrail's own words. One step of a plan is named as such; the sentence counts several itself. */
export function Headline({ prompt, plan, count }: Props) {
  const isRisky = prompt.risk.level === 'high' || prompt.risk.level === 'critical';
  return (
    <>
      {isRisky && <p className="risk-band">{prompt.risk.level === 'high' ? 'High risk' : 'Critical risk'}</p>}
      <h1 id="prompt-sentence">
        <VisibleText>{titleOf(prompt)}</VisibleText>
      </h1>
      {count > 1 && <p className="plan-count">Asked {count} times. Your answer covers all of them.</p>}
      {plan !== undefined && askedSteps(plan).length === 1 && <p className="plan-count">{planCountWords(plan)}</p>}
    </>
  );
}

/** How the daemon begins the part of a sentence that tells of the dangers in a script or a file. */
const NOTICED = '. Handrail noticed: ';

/** The sentence of a prompt without the dangers in its script or file, which the prompt lists line by line. */
export function titleOf({ sentence, script, contents }: Pick<Prompt, 'sentence' | 'script' | 'contents'>): string {
  const dangers = (script ?? contents)?.noticed ?? [];
  const at = dangers.length === 0 ? -1 : sentence.lastIndexOf(NOTICED);
  return at === -1 ? sentence : sentence.slice(0, at);
}
