type Fetch = typeof globalThis.fetch;

/** A call that was sent before the scripts of the page were there. */
export type EarlyAnswer = { path: string; authorization: string; askedAtMs: number; response: Promise<Response> };

/** A page as it is opened: its address after the path, whether it is out of sight, and its session storage. */
type Opened = {
  fetch: Fetch;
  hash: string;
  hidden: boolean;
  getItem: (name: string) => string | null;
  nowMs: () => number;
};

export const SESSION_KEY = 'handrail-session';
export const OVERVIEW_CALL = '/api/guardian/dashboard?window=24h';

/** An answer that was asked for longer ago than this is not used. */
const USABLE_MS = 5_000;

/**
 * Asks for the risk where the address leads to the overview and a person is signed in. The daemon then answers while the browser
 * still loads and compiles the scripts of the page.
 */
export function askEarly({ fetch, hash, hidden, getItem, nowMs }: Opened): EarlyAnswer | undefined {
  const key = getItem(SESSION_KEY);
  if (key === null || hidden || !/^#\/overview(?:$|[/?])/.test(hash)) return undefined;
  const authorization = `Bearer ${key}`;
  const response = fetch(OVERVIEW_CALL, { headers: { authorization } });
  // The caller that takes the answer handles its failure.
  response.catch(() => undefined);
  return { path: OVERVIEW_CALL, authorization, askedAtMs: nowMs(), response };
}

/** The same function, but the first call for the early answer gets that one. */
export function withEarlyAnswer(fetch: Fetch, early: EarlyAnswer | undefined, nowMs: () => number): Fetch {
  let left = early;
  return (input, init) => {
    if (left === undefined || input !== left.path) return fetch(input, init);
    const { response, authorization, askedAtMs } = left;
    left = undefined;
    const isOfSession = new Headers(init?.headers).get('authorization') === authorization;
    return isOfSession && nowMs() - askedAtMs < USABLE_MS ? response : fetch(input, init);
  };
}
