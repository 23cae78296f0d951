import type {
  ActionConfirmation,
  Confirmation,
  ConfirmationQueue,
  PlanConfirmation,
  QueuedConfirmation,
} from '../../src/contract/console.ts';
import type { ConsoleService } from '../../src/services/offered-services.ts';
import { isRefusal } from '../../src/services/refusal.ts';

/** The queue that the console answers with for these prompts, in their order: the first one whole, the others as rows. */
export function queueOf([first, ...others]: readonly Confirmation[]): ConfirmationQueue {
  return first === undefined ? [] : [first, ...others.map(rowOf)];
}

function rowOf({ prompt, ...of }: Confirmation): QueuedConfirmation {
  const { requester, sentence, risk, place, waiting } = prompt;
  const { id, actionDigest, question, status, createdAt, calledAt, shownAt, answerableAt, expiresAt } = of;
  return {
    id,
    actionDigest,
    status,
    createdAt,
    question,
    calledAt,
    shownAt,
    answerableAt,
    expiresAt,
    prompt: {
      requester: {
        userId: requester.userId,
        ...(requester.isStranger === true && { isStranger: true }),
      },
      sentence,
      risk: { level: risk.level },
      place,
      waiting,
    },
  };
}

/** The action of a prompt; undefined for the prompt of a plan. */
export function actionOf(prompt: Confirmation | undefined): ActionConfirmation['action'] | undefined {
  return prompt?.kind === 'action' ? prompt.action : undefined;
}

/** The plan of a prompt; undefined for the prompt of an action. */
export function planOf(prompt: Confirmation | undefined): PlanConfirmation['plan'] | undefined {
  return prompt?.kind === 'plan' ? prompt.plan : undefined;
}

/** Every prompt that waits, whole. */
export function wholePrompts(console: Pick<ConsoleService, 'confirmations'>): Confirmation[] {
  return console.confirmations.list().map(({ id }) => {
    const prompt = console.confirmations.get(id);
    if (isRefusal(prompt)) throw new Error(`the prompt ${id} is in the queue: ${prompt.detail}`);
    return prompt;
  });
}
