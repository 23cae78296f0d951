/** Random numbers that are the same for the same seed. */
export type Chance = {
  /** From 0 to just below 1. */
  share(): number;
  is(probability: number): boolean;
  between(from: number, to: number): number;
  /** Whole, from the first to the second, both included. */
  whole(from: number, to: number): number;
  normal(): number;
  /** Log-normal, by its median and the standard deviation of its logarithm. */
  around(median: number, spread: number): number;
  /** How many of something that comes so often on average. */
  poisson(expected: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

/**
 * A small generator of 32 bits of state (a Weyl sequence, mixed as MurmurHash3 ends), enough for a simulation. Several seeds name a
 * stream of its own: the seed of a life and the number of a day give the same day, whichever days were drawn before.
 */
export function createChance(...seeds: readonly [number, ...number[]]): Chance {
  let state = seeds.reduce((sum, seed) => Math.imul((sum ^ (sum >>> 15)) + seed + 1, 0x9e3779b1) >>> 0, 0);

  function share(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }

  /** Box and Muller 1958. */
  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share());
  }

  return {
    share,
    is: (probability) => share() < probability,
    between: (from, to) => from + (to - from) * share(),
    whole: (from, to) => from + Math.floor((to - from + 1) * share()),
    normal,
    around: (median, spread) => median * Math.exp(spread * normal()),
    poisson(expected) {
      const end = Math.exp(-expected);
      let count = 0;
      for (let product = share(); product > end; product *= share()) count += 1;
      return count;
    },
    pick: (items) => items[Math.floor(share() * items.length)] ?? items[0],
  };
}
