import { createObservable, type Observable } from '../observable.ts';

/** `complete`: held for long enough, letting go now counts. */
type HoldState = 'idle' | 'starting' | 'holding' | 'complete';

type Hold = Observable<HoldState> & {
  /** The time starts when `begin` answers yes. */
  press(begin: () => Promise<boolean>): void;
  /** Lets go where it was pressed. Answers whether that counts. */
  release(): boolean;
  /** The hand slipped off, or the window went to the back: that never counts. */
  abort(): void;
};

/** The daemon asks for a second; a little more, for its clock and ours are not read at the same time. */
export const HOLD_MS = 1_050;

/** A button that must be held: only letting go of it after the whole time counts. */
export function createHold(holdMs: number): Hold {
  const state = createObservable<HoldState>('idle');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let presses = 0;

  async function start(begin: () => Promise<boolean>): Promise<void> {
    presses += 1;
    const press = presses;
    state.set('starting');
    const isBegun = await begin();
    if (press !== presses || state.get() !== 'starting') return;
    state.set(isBegun ? 'holding' : 'idle');
    if (isBegun) timer = setTimeout(() => state.set('complete'), holdMs);
  }

  function abort(): void {
    clearTimeout(timer);
    state.set('idle');
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    press(begin) {
      if (state.get() === 'idle') void start(begin);
    },
    release() {
      const isComplete = state.get() === 'complete';
      abort();
      return isComplete;
    },
    abort,
  };
}
