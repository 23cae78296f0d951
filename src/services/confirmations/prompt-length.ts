import type { ActionConfirmation, Plan, PlanConfirmation, PlanStep, Prompt } from '../../contract/console.ts';
import type { ScriptView } from '../../contract/scripts.ts';

type Prompted = Pick<ActionConfirmation, 'kind' | 'prompt'> | Pick<PlanConfirmation, 'kind' | 'prompt' | 'plan'>;

/** How many characters of a prompt there are to read before it is answered. Labels that every prompt has are not counted. */
export function promptLength(confirmation: Prompted): number {
  const { prompt } = confirmation;
  return lengthOf(confirmation.kind === 'plan' ? textsOfPlan(prompt, confirmation.plan) : textsOf(prompt));
}

function textsOf({ requester, sentence, task, risk, ...facts }: Prompt): Texts {
  const { history, reason } = facts;
  const taskTexts = task === undefined ? [] : [task.name, ...task.alsoAsks];
  return [
    ...textsOfRequester(requester),
    sentence,
    facts.arguments,
    ...textsOfSubject(facts),
    ...risk.reasons,
    history,
    reason,
    ...taskTexts,
  ];
}

/** The texts of the action's target and contents. */
function textsOfSubject({ window, script, contents, changes }: Subject): Texts {
  return [window, script?.text, ...textsOfNoticed(script), contents?.text, ...textsOfNoticed(contents), changes];
}

function textsOfRequester({ userId, program }: Prompt['requester']): Texts {
  if (program.kind === 'unknown') return [userId, program.because];
  const { name, path, script, changedFrom } = program;
  return [userId, name, path, script, changedFrom?.name, changedFrom?.path, changedFrom?.script];
}

/** The texts of a plan's prompt sum up its steps, which the page shows one by one. */
function textsOfPlan({ requester, task, reason }: Prompt, { steps }: Plan): Texts {
  return [...textsOfRequester(requester), task?.name, reason, ...steps.flatMap(textsOfStep)];
}

/** Only a step that is asked for shows everything about it. */
function textsOfStep(step: PlanStep): Texts {
  const { consent, sentence, risk, device, history } = step;
  if (consent === 'later') return [sentence, step.arguments];
  if (consent !== 'asked') return [sentence];
  return [sentence, ...risk.reasons, step.arguments, ...textsOfSubject(step), device, history];
}

function textsOfNoticed(script: Pick<ScriptView, 'noticed'> | undefined): Texts {
  return (script?.noticed ?? []).map(({ words }) => words);
}

type Subject = Pick<PlanStep, 'window' | 'script' | 'contents' | 'changes'>;
type Texts = (string | undefined)[];

function lengthOf(texts: Texts): number {
  return texts.reduce((sum, text = '') => sum + text.length, 0);
}
