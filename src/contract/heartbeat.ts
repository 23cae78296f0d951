const LATE_MS = 1_000;

/** Watches over the life of a peer, agent-link.md rule 7. */
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
  const beating = setInterval(beat, heartbeatMs);

  function look(): void {
    // Who wakes late was asleep itself, with what the peer has sent still unread.
    if (now() - dueAtMs > LATE_MS) heardAtMs = now();
    dueAtMs = heardAtMs + silenceMs;
    const leftMs = dueAtMs - now();
    if (leftMs > 0) {
      watch = setTimeout(look, leftMs);
      return;
    }
    stop();
    dead();
  }

  function stop(): void {
    clearTimeout(watch);
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
