type Options = { forMs: number; nowMs?: () => number };

/**
 * Reads something of the system again only when it was read long enough ago, or for something else than last time: an icon is drawn
 * anew ten times a second while actions run.
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
