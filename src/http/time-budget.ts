const SLOT_MS = 1_000;
const SLOTS = 10;

export type TimeBudget = {
  /** Milliseconds until this requester may be served again; 0 for now. */
  waitMs(requester: string): number;
  /** Adds work that was done for a requester. */
  charge(requester: string, workMs: number): void;
};

/** Work done in the last ten seconds, in slots of one second: `slots[n]` is that of a second with `second % 10 === n`. */
type Account = { second: number; slots: number[] };

/** Milliseconds of processor time in any ten seconds. */
export type WorkLimits = {
  perUserMs: number;
  /** For all requesters together, where the one that asks has used more than `lightMs` itself. */
  inAllMs: number;
  /** The same for light requesters, so that heavy requesters are refused first. */
  inAllForLightMs: number;
  lightMs: number;
};

/**
 * How much processor time of the daemon's one thread each requester, and all of them together, may use. Calls can cost very different
 * amounts of work, so a limit on their number alone bounds nothing.
 */
export function createTimeBudget(limits: WorkLimits, nowMs: () => number = () => performance.now()): TimeBudget {
  const accounts = new Map<string, Account>();
  const inAll: Account = { second: 0, slots: [] };
  let sweptSecond = 0;

  /** The accounts of requesters that used nothing lately: anyone can make up ids. */
  function forgetIdle(second: number): void {
    if (second - sweptSecond < SLOTS) return;
    sweptSecond = second;
    for (const [requester, account] of accounts) if (second - account.second >= SLOTS) accounts.delete(requester);
  }

  return {
    waitMs(requester) {
      const atMs = nowMs();
      const account = accounts.get(requester);
      const isLight = account === undefined || msUntilBelow(account, limits.lightMs, atMs) === 0;
      if (isLight) return msUntilBelow(inAll, limits.inAllForLightMs, atMs);
      return Math.max(msUntilBelow(account, limits.perUserMs, atMs), msUntilBelow(inAll, limits.inAllMs, atMs));
    },
    charge(requester, workMs) {
      const second = Math.floor(nowMs() / SLOT_MS);
      forgetIdle(second);
      const account = accounts.get(requester) ?? { second, slots: [] };
      accounts.set(requester, account);
      add(account, second, workMs);
      add(inAll, second, workMs);
    },
  };
}

function add(account: Account, second: number, workMs: number): void {
  turnTo(account, second);
  account.slots[second % SLOTS] = (account.slots[second % SLOTS] ?? 0) + workMs;
}

/** Empties the slots of the seconds that have passed since the account was used. */
function turnTo(account: Account, second: number): void {
  const first = Math.max(account.second + 1, second - SLOTS + 1);
  for (let passed = first; passed <= second; passed += 1) account.slots[passed % SLOTS] = 0;
  account.second = second;
}

/** When the oldest seconds have left the window and the rest is below the limit. */
function msUntilBelow(account: Account, limitMs: number, atMs: number): number {
  const second = Math.floor(atMs / SLOT_MS);
  turnTo(account, second);
  let usedMs = account.slots.reduce((sum, workMs) => sum + workMs, 0);
  let oldest = second - SLOTS + 1;
  while (usedMs >= limitMs && oldest <= second) {
    usedMs -= account.slots[oldest % SLOTS] ?? 0;
    oldest += 1;
  }
  return oldest === second - SLOTS + 1 ? 0 : (oldest + SLOTS - 1) * SLOT_MS - atMs;
}
