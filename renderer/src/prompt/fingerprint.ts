import type { Confirmation } from '../../../src/contract/console.ts';

/** Differs whenever what a person is asked differs; the place in the queue and the times are no part of that. */
export function fingerprint({ id, nonce, actionDigest, presenceRequired, scopes, prompt, plan }: Confirmation): string {
  const { place: _place, waiting: _waiting, ...asked } = prompt;
  return JSON.stringify([id, nonce, actionDigest, presenceRequired, scopes, asked, plan]);
}
