import type { Confirmation, Decision } from '../../../src/contract/console.ts';
import type { TouchAnswer } from '../../../src/contract/shell.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** How presence is proven for a prompt on this page. `elsewhere`: by Touch ID, which this page cannot ask for. */
export type PresenceKind = 'none' | 'hold' | 'touch' | 'elsewhere';

type Proof = Pick<Decision, 'presence'>;

export function presenceKind(
  { presenceRequired, presenceBy }: Pick<Confirmation, 'presenceRequired' | 'presenceBy'>,
  { app }: Pick<DashboardModel, 'app'>,
): PresenceKind {
  if (!presenceRequired) return 'none';
  if (presenceBy !== 'touchId') return 'hold';
  return app === undefined ? 'elsewhere' : 'touch';
}

/** Completes the proof that the person is here. Undefined when it failed, which is then said. */
export async function proofOf(kind: PresenceKind, id: string, model: DashboardModel): Promise<Proof | undefined> {
  switch (kind) {
    case 'none':
      return {};
    case 'hold':
      return (await announced(model, { id, phase: 'release' })) ? { presence: 'hold' } : undefined;
    case 'touch':
      return (await isTouched(model, id)) ? { presence: 'touchId' } : undefined;
    case 'elsewhere':
      return undefined;
  }
}

/** Tells the daemon of a press or its end. False when it was refused, which is then said. */
export async function announced(
  model: DashboardModel,
  hold: { id: string; phase: 'press' | 'release' },
): Promise<boolean> {
  const answer = await model.client.hold(hold.id, hold.phase);
  if (answer.ok) return true;
  model.notices.outcome(answer);
  await model.feed.refresh();
  return false;
}

const TOUCH_WORDS: Record<Exclude<TouchAnswer, 'touched'>, string> = {
  refused: 'Touch ID did not recognize you, or you cancelled. Nothing was allowed.',
  unavailable: 'Touch ID does not work now. You can hold Allow instead.',
  gone: 'That request is over. Nothing was allowed.',
};

async function isTouched({ app, notices, feed }: DashboardModel, confirmationId: string): Promise<boolean> {
  const answer = (await app?.touchId({ confirmationId })) ?? 'unavailable';
  if (answer === 'touched') return true;
  notices.problem(TOUCH_WORDS[answer]);
  await feed.refresh();
  return false;
}
