import type { Confirmation } from '../../../src/contract/console.ts';

/** Differs whenever what a person is asked differs; the place in the queue and the times are no part of that. */
export function fingerprint(confirmation: Confirmation): string {
  const { id, nonce, actionDigest, presenceRequired, scopes, prompt } = confirmation;
  const { place: _place, waiting: _waiting, ...asked } = prompt;
  const plan = confirmation.kind === 'plan' ? confirmation.plan : undefined;
  return JSON.stringify([id, nonce, actionDigest, presenceRequired, scopes, asked, plan]);
}
