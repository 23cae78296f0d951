import { OVERVIEW_CALL } from '../../../src/client/overview-call.ts';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';

type Fetch = typeof globalThis.fetch;

/** A call that was sent before the scripts of the page were there. */
export type EarlyAnswer = { path: string; key: string; askedAtMs: number; response: Promise<Response> };

/** A page as it is opened: its address after the path, whether it is out of sight, and its session storage. */
type Opened = {
  fetch: Fetch;
  hash: string;
  hidden: boolean;
  getItem: (name: string) => string | null;
  nowMs: () => number;
};

export const SESSION_KEY = 'handrail-session';

/** An answer that was asked for longer ago than this is not used. */
const USABLE_MS = 5_000;

/**
 * Asks for the risk where the address leads to the overview and a person is signed in. The daemon then answers while the browser
 * still loads and compiles the scripts of the page.
 */
export function askEarly({ fetch, hash, hidden, getItem, nowMs }: Opened): EarlyAnswer | undefined {
  const key = getItem(SESSION_KEY);
  if (key === null || hidden || !/^#\/overview(?:$|[/?])/.test(hash)) return undefined;
  const response = fetch(OVERVIEW_CALL, { headers: { authorization: `Bearer ${key}` } });
  // The caller that takes the answer handles its failure.
  response.catch(() => undefined);
  return { path: OVERVIEW_CALL, key, askedAtMs: nowMs(), response };
}

/** The same function, but the first call for the early answer gets that one. */
export function withEarlyAnswer(fetch: Fetch, early: EarlyAnswer | undefined, nowMs: () => number): Fetch {
  let left = early;
  return (input, init) => {
    if (left === undefined || input !== left.path) return fetch(input, init);
    const { response, key, askedAtMs } = left;
    left = undefined;
    const isOfSession = new Headers(init?.headers).get('authorization') === `Bearer ${key}`;
    return isOfSession && nowMs() - askedAtMs < USABLE_MS ? response : fetch(input, init);
  };
}

/** The early answer as it is before the page is drawn: the risk itself, or an answer that is still to come. */
export type EarlyRisk = { risk?: { key: string; dashboard: GuardianDashboard }; late?: EarlyAnswer };

/**
 * Waits for the early answer, so that the page is drawn once, with the risk. A slow one is waited for no longer than this: the page
 * is then drawn without it. A refusal is left to the caller that takes the answer.
 */
export async function earlyRisk(early: EarlyAnswer | undefined, patienceMs = PATIENCE_MS): Promise<EarlyRisk> {
  if (early === undefined) return {};
  try {
    const response = await Promise.race([early.response, pause(patienceMs)]);
    if (!response?.ok) return { late: early };
    return { risk: { key: early.key, dashboard: await response.json() } };
  } catch {
    // The connection broke. The page asks again, and says what is wrong if that fails too.
    return {};
  }
}

const PATIENCE_MS = 250;

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
