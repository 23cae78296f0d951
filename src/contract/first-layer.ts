import type { PlanStep, Prompt } from './console.ts';

/** The parts of a prompt that a person has before them without opening anything. The page shows them, and the daemon measures them. */

/** The sentence of an approval that lasts for nothing more. */
export const ONLY_ONCE = 'Only this once.';

type Subject = Pick<Prompt, 'script' | 'contents'>;

/** How the daemon begins the part of a sentence that tells of the dangers in a script or a file. */
const NOTICED = '. Handrail noticed: ';

/** How a sentence goes on after the beginning of a text that is typed or goes to the clipboard. Nothing in such a text ends its quotation. */
const AFTER_BEGINNING = /…” \((\d+ characters)\)/u;

/** The sentence of a prompt without what the prompt shows below: the beginning of a text, and the dangers in a script or file. */
export function titleOf({ sentence, script, contents }: Subject & Pick<Prompt, 'sentence'>): string {
  if (contents?.source === 'text') return withoutBeginning(sentence);
  const dangers = (script ?? contents)?.noticed ?? [];
  const at = dangers.length === 0 ? -1 : sentence.lastIndexOf(NOTICED);
  return at === -1 ? sentence : sentence.slice(0, at);
}

function withoutBeginning(sentence: string): string {
  const found = AFTER_BEGINNING.exec(sentence);
  const start = found === null ? -1 : sentence.lastIndexOf('“', found.index);
  if (found === null || start < 0) return sentence;
  return `${sentence.slice(0, start)}${found[1]}${sentence.slice(found.index + found[0].length)}`;
}

/** Whether a request has a text that the person must have seen to its end. */
export function hasText({ script, contents }: Subject): boolean {
  return script !== undefined || contents !== undefined;
}

/** From here on one look is not enough to see how much there is. */
const LONG = 400;

/** Whether arguments are so long that they may hold more than the rest of the prompt says. */
export function areLong(text: string): boolean {
  return text.length > LONG;
}

/** Whether the details of a prompt hold a part that must be seen. */
export function mustShowArguments(prompt: Subject & Pick<Prompt, 'arguments'>): boolean {
  return !hasText(prompt) && areLong(prompt.arguments);
}

/** Whether a step must be unfolded before Allow reacts: its line does not say everything. */
export function mustOpen(step: Subject & Pick<PlanStep, 'arguments' | 'consent'>): boolean {
  return step.consent === 'asked' && (hasText(step) || areLong(step.arguments));
}
