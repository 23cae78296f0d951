import type { Confirmation, Decision } from '../../../src/contract/console.ts';
import type { TouchAnswer } from '../../../src/contract/shell.ts';
import type { Room } from '../room.ts';

/** How presence is proven for a prompt on this page. `elsewhere`: by Touch ID, which this page cannot ask for. */
export type PresenceKind = 'none' | 'hold' | 'touch' | 'elsewhere';

type Proof = Pick<Decision, 'presence'>;

export function presenceKind(
  { presenceRequired, presenceBy }: Pick<Confirmation, 'presenceRequired' | 'presenceBy'>,
  { app }: Pick<Room, 'app'>,
): PresenceKind {
  if (!presenceRequired) return 'none';
  if (presenceBy !== 'touchId') return 'hold';
  return app === undefined ? 'elsewhere' : 'touch';
}

/** Completes the proof that the person is here. Undefined when it failed, which is then said. */
export async function proofOf(kind: PresenceKind, id: string, room: Room): Promise<Proof | undefined> {
  switch (kind) {
    case 'none':
      return {};
    case 'hold':
      return (await announced(room, { id, phase: 'release' })) ? { presence: 'hold' } : undefined;
    case 'touch':
      return (await isTouched(room, id)) ? { presence: 'touchId' } : undefined;
    case 'elsewhere':
      return undefined;
  }
}

/** Tells the daemon of a press or its end. False when it was refused, which is then said. */
export async function announced(room: Room, hold: { id: string; phase: 'press' | 'release' }): Promise<boolean> {
  const answer = await room.client.hold(hold.id, hold.phase);
  if (answer.ok) return true;
  room.notices.outcome(answer);
  await room.feed.refresh();
  return false;
}

const TOUCH_WORDS: Record<Exclude<TouchAnswer, 'touched'>, string> = {
  refused: 'Touch ID did not recognize you, or you cancelled. Nothing was allowed.',
  unavailable: 'Touch ID does not work now. You can hold Allow instead.',
  gone: 'That request is over. Nothing was allowed.',
};

async function isTouched({ app, notices, feed }: Room, confirmationId: string): Promise<boolean> {
  const answer = (await app?.touchId({ confirmationId })) ?? 'unavailable';
  if (answer === 'touched') return true;
  notices.problem(TOUCH_WORDS[answer]);
  await feed.refresh();
  return false;
}
