import type { Confirmation, ConfirmationQueue, QueuedConfirmation } from '../../src/contract/console.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import type { ConsoleService } from '../../src/services/services.ts';

/** The queue that the console answers with for these prompts, in their order: the first one whole, the others as rows. */
export function queueOf([first, ...others]: readonly Confirmation[]): ConfirmationQueue {
  return first === undefined ? [] : [first, ...others.map(rowOf)];
}

function rowOf({
  nonce: _nonce,
  presenceRequired: _presence,
  scopes: _scopes,
  action: _action,
  plan: _plan,
  prompt,
  ...row
}: Confirmation): QueuedConfirmation {
  const { requester, sentence, risk, place, waiting } = prompt;
  return {
    ...row,
    prompt: { requester: { userId: requester.userId }, sentence, risk: { level: risk.level }, place, waiting },
  };
}

/** Every prompt that waits, whole. */
export function wholePrompts(console: Pick<ConsoleService, 'confirmations' | 'confirmation'>): Confirmation[] {
  return console.confirmations().map(({ id }) => {
    const prompt = console.confirmation(id);
    if (isRefusal(prompt)) throw new Error(`the prompt ${id} is in the queue: ${prompt.detail}`);
    return prompt;
  });
}
