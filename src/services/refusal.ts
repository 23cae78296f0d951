import type { ProblemCode } from '../contract/problem.ts';

/** Refusals that are honest mistakes under one code and attempts under another are told apart in the journal only. */
export type RefusalNote =
  | 'session_key_unknown'
  | 'digest_mismatch'
  | 'link_followed'
  | 'console_by_localhost'
  | 'caller_gone';

/** A request for a capability that the device was registered without. */
export type RefusedRequest = { userId: string; deviceId: string; capability: string };

type Seen = 'actionTypes' | 'actions' | 'tasks' | 'devices';

/** Why a request was not taken: a value, which `http` turns into a problem and nothing else needs to catch. */
export type Refusal = {
  refused: ProblemCode;
  /** The expected value, the received value, and advice. Callers see this text. */
  detail: string;
  /** Where the caller can look further. Each door says it in words of its own. */
  see?: Seen;
  errors?: { pointer: string; message: string }[];
  /** Further members of the problem, such as `actionId`. */
  facts?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** A finer kind for the journal, where the code covers several cases. */
  countedAs?: RefusalNote | undefined;
  /** Where it came from, as far as the caller says: the host of a web page, or the user id that it claimed. The journal names it. */
  from?: string | undefined;
  /** The request, where the journal names it. */
  request?: RefusedRequest | undefined;
};

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}
