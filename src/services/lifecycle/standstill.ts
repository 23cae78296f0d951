import type { Refusal } from '../refusal.ts';

/** The states in which nothing is taken and nothing goes on, the most lasting first. */
type Holds = {
  refusals: readonly (() => Refusal | undefined)[];
  /** The end of the last time in which nobody could sit at the computer; infinite during such a time. Epoch ms. */
  heldUntilMs(): number;
};

export type Standstill = ReturnType<typeof createStandstill>;

/**
 * Whether everything is held now: by a start, the shutdown, the person's stop or a locked screen. The parts that act on these
 * states end the work of all services, so they are made after the services that ask here.
 */
export function createStandstill() {
  let holds: Holds = { refusals: [], heldUntilMs: () => 0 };

  function refusal(): Refusal | undefined {
    for (const refusalOf of holds.refusals) {
      const found = refusalOf();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    /** Names the states; called once. */
    heldBy(by: Holds): void {
      holds = by;
    },
    /** Why nothing is taken now, if so. */
    refusal,
    isStopped: (): boolean => refusal() !== undefined,
    heldUntilMs: (): number => holds.heldUntilMs(),
  };
}
