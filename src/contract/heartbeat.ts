const LATE_MS = 1_000;

/** Watches whether the peer of a link still lives: rule 7 of LINK.md. */
export type Heartbeat = {
  /** Anything at all has come from the peer. */
  heard(): void;
  silentForMs(): number;
  stop(): void;
};

type Options = {
  heartbeatMs: number;
  silenceMs: number;
  now: () => number;
  /** Every `heartbeatMs`. */
  beat(): void;
  /** Once, after `silenceMs` without a word. */
  dead(): void;
};

export function createHeartbeat({ heartbeatMs, silenceMs, now, beat, dead }: Options): Heartbeat {
  let heardAtMs = now();
  let dueAtMs = heardAtMs + silenceMs;
  let watch = setTimeout(look, silenceMs);
  let lastLook: NodeJS.Immediate | undefined;
  const beating = setInterval(beat, heartbeatMs);

  function look(): void {
    // Who wakes late was asleep itself, and so perhaps was the peer.
    if (now() - dueAtMs > LATE_MS) heardAtMs = now();
    // The second look comes after frames that have arrived and were not read yet.
    if (!lookAgain()) lastLook = setImmediate(() => lookAgain() || die());
  }

  /** False when the silence has lasted too long. */
  function lookAgain(): boolean {
    dueAtMs = heardAtMs + silenceMs;
    const leftMs = dueAtMs - now();
    if (leftMs <= 0) return false;
    watch = setTimeout(look, leftMs);
    return true;
  }

  function die(): void {
    stop();
    dead();
  }

  function stop(): void {
    clearTimeout(watch);
    clearImmediate(lastLook);
    clearInterval(beating);
  }

  return {
    heard() {
      heardAtMs = now();
    },
    silentForMs: () => now() - heardAtMs,
    stop,
  };
}
