import type { Confirmation, GrantScope } from '../../src/contract/console.ts';
import type { Rig } from './rig.ts';

/** The prompt that the person sees first. */
export function firstPrompt({ services }: Pick<Rig, 'services'>): Confirmation {
  const [prompt] = services.console.confirmations.list();
  if (prompt === undefined) throw new Error('expected a prompt');
  return prompt;
}

/** The person answers the first prompt, after looking at it for long enough. */
export function answerFirst(
  rig: Pick<Rig, 'services' | 'clock'>,
  decision: 'allow' | 'deny',
  scope: GrantScope = 'once',
) {
  const { confirmations } = rig.services.console;
  const { id, nonce, actionDigest, presenceRequired } = firstPrompt(rig);
  confirmations.shown(id);
  rig.clock.advance(2_000);
  if (presenceRequired) {
    confirmations.hold(id, 'press');
    rig.clock.advance(1_000);
    confirmations.hold(id, 'release');
  }
  return confirmations.decide(id, { decision, scope, nonce, actionDigest });
}
