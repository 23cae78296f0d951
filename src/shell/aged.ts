type Options = { forMs: number; nowMs?: () => number };

/**
 * Reads something of the system again only after a while, or for another key than last time. While actions run, an icon is drawn
 * ten times a second.
 */
export function createAged<Of, Value>(
  read: (of: Of) => Value,
  { forMs, nowMs = () => performance.now() }: Options,
): { get(of: Of): Value; forget(): void } {
  let latest: { of: string; value: Value; atMs: number } | undefined;
  return {
    get(of) {
      const asked = JSON.stringify(of);
      if (latest === undefined || latest.of !== asked || nowMs() - latest.atMs >= forMs)
        latest = { of: asked, value: read(of), atMs: nowMs() };
      return latest.value;
    },
    forget() {
      latest = undefined;
    },
  };
}
