import type { ActionConfirmation, Plan, PlanConfirmation, PlanStep, Prompt } from '../../contract/console.ts';
import { dangersOf, worstOf } from '../../contract/dangers.ts';
import { areLong, mustOpen, titleOf } from '../../contract/first-layer.ts';
import type { ContentsView } from '../../contract/scripts.ts';

type Prompted = Pick<ActionConfirmation, 'kind' | 'prompt'> | Pick<PlanConfirmation, 'kind' | 'prompt' | 'plan'>;

/**
 * How many characters of a prompt there are to read before it is answered: those of its first layer, and those of the parts that must
 * be opened. Labels that every prompt has are not counted.
 */
export function promptLength(confirmation: Prompted): number {
  const { kind, prompt } = confirmation;
  const plan = kind === 'plan' ? confirmation.plan : undefined;
  const dangers = worstOf(dangersOf(prompt, plan), kind).shown.flatMap(({ words, at }) => [words, at]);
  const subject = plan === undefined ? textsOfSubject(prompt) : textsOfPlan(plan);
  return lengthOf([...textsOfRequester(prompt.requester), titleOf(prompt), ...dangers, ...subject]);
}

function textsOfRequester({ userId, program, before, unusual }: Prompt['requester']): Texts {
  if (program.kind === 'unknown') return [userId, program.because, before, unusual];
  const { name, path, script, changedFrom } = program;
  const former = [changedFrom?.name, changedFrom?.path, changedFrom?.script];
  return [userId, name, path, script, ...former, before, unusual];
}

/** The line of each step, and everything that must be opened below it. */
function textsOfPlan({ steps }: Plan): Texts {
  return steps.flatMap((step) => [titleOf(step), ...(mustOpen(step) ? textsOfSubject(step) : [])]);
}

/** The text that would be run, written or typed. Without one, arguments that may hold more than the sentence says. */
function textsOfSubject({
  script,
  contents,
  arguments: given,
}: Pick<PlanStep, 'script' | 'contents' | 'arguments'>): Texts {
  if (script !== undefined) return [...(script.environment ?? []), script.text]; // guard E2-25
  if (contents !== undefined) return [changedText(contents)];
  return areLong(given) ? [given] : [];
}

/** A text that replaces another is shown as their difference: the lines that only one of them has. */
function changedText({ text, former }: ContentsView): string {
  if (former === undefined) return text;
  const [now, before] = [text.split('\n'), former.split('\n')];
  const [inBoth, were] = [new Set(now), new Set(before)];
  return [...now.filter((line) => !were.has(line)), ...before.filter((line) => !inBoth.has(line))].join('\n');
}

type Texts = (string | undefined)[];

function lengthOf(texts: Texts): number {
  return texts.reduce((sum, text = '') => sum + text.length, 0);
}
