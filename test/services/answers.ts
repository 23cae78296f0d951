import type { Confirmation, Decision, GrantScope } from '../../src/contract/console.ts';
import type { Rig } from './rig.ts';

type Desk = Pick<Rig, 'services' | 'clock'>;

/** The prompt that the person sees first. */
export function firstPrompt({ services }: Pick<Rig, 'services'>): Confirmation {
  const [prompt] = services.console.confirmations.list();
  if (prompt === undefined) throw new Error('expected a prompt');
  return prompt;
}

export function onlyPrompt({ services }: Pick<Rig, 'services'>): Confirmation {
  const [prompt, ...others] = services.console.confirmations.list();
  if (prompt === undefined || others.length > 0) throw new Error(`expected one prompt, found ${others.length + 1}`);
  return prompt;
}

/** The first prompt is on the screen for so long. */
export function show(rig: Desk, forMs = 2_000): void {
  rig.services.console.confirmations.shown(firstPrompt(rig).id);
  rig.clock.advance(forMs);
}

/** The person holds the button of the first prompt for so long. */
export function hold(rig: Desk, forMs = 1_000): void {
  const { id } = firstPrompt(rig);
  rig.services.console.confirmations.hold(id, 'press');
  rig.clock.advance(forMs);
  rig.services.console.confirmations.hold(id, 'release');
}

/** What the page sends when the person answers: the first prompt, once, unless it is said otherwise. */
export function decide(
  rig: Pick<Rig, 'services'>,
  decision: 'allow' | 'deny',
  more: Partial<Decision> = {},
  { id, nonce, actionDigest }: Pick<Confirmation, 'id' | 'nonce' | 'actionDigest'> = firstPrompt(rig),
) {
  return rig.services.console.confirmations.decide(id, { decision, nonce, actionDigest, ...more });
}

/** The person answers the first prompt, after looking at it for long enough. */
export function answerFirst(rig: Desk, decision: 'allow' | 'deny', scope: GrantScope = 'once') {
  show(rig);
  if (firstPrompt(rig).presenceRequired) hold(rig);
  return decide(rig, decision, { scope });
}
