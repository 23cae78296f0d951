import { quantile } from './statistics.ts';

/** An action that was carried out: its type, and how long it ran. */
export type Ran = { actionType: string; durationMs: number };

/** With fewer earlier actions of a kind its usual duration is unknown. */
const LEAST_OF_A_KIND = 10;
/** As the least sample of a duration. */
const LEAST_NOW = 20;
const SHARE = 0.95;
/** As the least effect of trends. */
const SLOWER = 1.25;

/**
 * Whether actions take longer than actions of the same kinds did earlier. Other work has other kinds of actions, some slow by nature, and
 * moves the 95th percentile although nothing became slower. So it is compared with the one that the earlier durations of each kind
 * give in the present mix of kinds (direct standardisation). Kinds without a past cannot be compared; where most
 * of the actions are of such kinds the work is another. Where too few can be compared otherwise, the answer is yes.
 */
export function isSlowerThanItsKinds(now: readonly Ran[], earlier: readonly Ran[]): boolean {
  const past = Map.groupBy(earlier, ({ actionType }) => actionType);
  const known = now.filter(({ actionType }) => (past.get(actionType)?.length ?? 0) >= LEAST_OF_A_KIND);
  if (known.length * 2 < now.length) return false;
  if (known.length < LEAST_NOW) return true;
  const expectedMs = expectedQuantile(known, past);
  return (
    quantile(
      known.map(({ durationMs }) => durationMs),
      SHARE,
    ) >=
    SLOWER * expectedMs
  );
}

/** The quantile of the earlier durations, in which each kind weighs as much as it does now. */
function expectedQuantile(now: readonly Ran[], past: ReadonlyMap<string, readonly Ran[]>): number {
  const weighted = [...Map.groupBy(now, ({ actionType }) => actionType)].flatMap(([actionType, ofKind]) => {
    const before = past.get(actionType) ?? [];
    return before.map(({ durationMs }) => ({ durationMs, weight: ofKind.length / before.length }));
  });
  weighted.sort((one, other) => one.durationMs - other.durationMs);
  let passed = 0;
  for (const { durationMs, weight } of weighted) {
    passed += weight;
    if (passed >= SHARE * now.length) return durationMs;
  }
  return weighted.at(-1)?.durationMs ?? Number.NaN;
}
