/** How often the daemon is asked for a sign of life while an action with an effect runs. */
const ASK_EVERY_MS = 250;
/** A daemon that gives no sign of life for this long cannot stop an action. */
export const STUCK_AFTER_MS = 2_000;

/** Watches whether the daemon's thread still answers while actions with an effect run: rule 7 of LINK.md. */
export type StuckWatch = {
  /** An action with an effect begins. */
  begin(): void;
  /** Anything at all has come from the daemon. */
  heard(): void;
};

type Options = {
  /** Sends a ping, which the daemon's event loop answers; false while there is no link, whose end has rules of its own. */
  ping(): boolean;
  /** Whether an action with an effect runs. */
  isActing(): boolean;
  /** The daemon did not answer for `STUCK_AFTER_MS`. */
  stuck(): void;
  now?: () => number;
};

export function createStuckWatch({ ping, isActing, stuck, now = () => performance.now() }: Options): StuckWatch {
  let asking: NodeJS.Timeout | undefined;
  let askedAtMs = 0;
  let silentMs = 0;

  function begin(): void {
    if (asking !== undefined) return;
    silentMs = 0;
    askedAtMs = now();
    ping();
    asking = setInterval(ask, ASK_EVERY_MS);
    asking.unref();
  }

  /** A process that was asleep or had no processor itself cannot tell how long the other was silent, so such a time counts little. */
  function ask(): void {
    const atMs = now();
    silentMs += Math.min(atMs - askedAtMs, 2 * ASK_EVERY_MS);
    askedAtMs = atMs;
    if (!isActing()) {
      end();
      return;
    }
    if (!ping()) silentMs = 0;
    // Frames that have arrived and were not read yet are read before the answer is judged.
    if (silentMs >= STUCK_AFTER_MS) setImmediate(judge);
  }

  function judge(): void {
    if (silentMs < STUCK_AFTER_MS) return;
    silentMs = 0;
    stuck();
  }

  function end(): void {
    clearInterval(asking);
    asking = undefined;
  }

  return {
    begin,
    heard() {
      silentMs = 0;
      askedAtMs = now();
    },
  };
}
