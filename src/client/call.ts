import type { Problem, ProblemCode } from '../contract/problem.ts';

/** As the `fetch` of browsers and of Node. In Node it has to know the daemon's address: see `fetchAt`. */
export type Fetch = typeof globalThis.fetch;

type Request = { headers: Record<string, string>; body?: object | undefined; signal?: AbortSignal | undefined };

/** Why a call did not work: a problem of the daemon's, or `unreachable` when no answer came at all. */
export type Failure = {
  code: ProblemCode | 'unreachable';
  /** The daemon's detail: the expected value, the received value, and advice. */
  detail: string;
  retryAfterSeconds?: number;
  /** Why a session is over, where the daemon knows; then `detail` is written for the person. */
  reason?: string;
  /** The faults of the body, each with its part. */
  errors?: { pointer: string; message: string }[];
  /** The action that the rules blocked. */
  actionId?: string;
};

export type Reply<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Reads a response; an empty one (204) has the value `undefined`. */
export async function replyOf<Value>(response: Response): Promise<Reply<Value>> {
  if (!response.ok) return { ok: false, failure: await failureOf(response) };
  const text = await response.text();
  return { ok: true, value: text === '' ? undefined : JSON.parse(text) };
}

type Told = Pick<Problem, 'detail' | 'errors'> & { code: ProblemCode; reason?: string; actionId?: string };

export const UNREACHABLE: Failure = { code: 'unreachable', detail: 'Handrail does not answer.' };

async function failureOf(response: Response): Promise<Failure> {
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const rest = Number.isNaN(retryAfterSeconds) ? {} : { retryAfterSeconds };
  const isProblem = response.headers.get('content-type')?.includes('json') === true;
  if (!isProblem) return { code: 'internal_error', detail: `Handrail answered ${response.status}.`, ...rest };
  const { code, detail, reason, errors, actionId }: Told = JSON.parse(await response.text());
  return {
    code,
    detail,
    reason,
    errors,
    actionId,
    ...rest,
  };
}

/** Sends one call, such as `GET /api/tee/devices`. Never throws because of the daemon or the network. */
export async function call<Value>(
  fetch: Fetch,
  line: string,
  { headers, body, signal }: Request,
): Promise<Reply<Value>> {
  const [method = '', path = ''] = line.split(' ');
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...headers, ...type }, ...json, signal };
  return reached(fetch(path, init).then(replyOf<Value>));
}

/** A `fetch` whose paths lead to the daemon at this address, such as `http://127.0.0.1:3001`. */
export function fetchAt(base: string, fetch: Fetch = globalThis.fetch): Fetch {
  return (path, init) => fetch(new URL(String(path), base), init);
}

export async function blobOf(response: Response): Promise<Reply<Blob>> {
  return response.ok ? { ok: true, value: await response.blob() } : { ok: false, failure: await failureOf(response) };
}

/** The body as UTF-8, whole; bytes that are none become U+FFFD. */
export async function textOf(response: Response): Promise<Reply<string>> {
  if (!response.ok) return { ok: false, failure: await failureOf(response) };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { ok: true, value: decoder.decode(await response.arrayBuffer()) };
}

export async function bodyOf(response: Response): Promise<Reply<ReadableStream<Uint8Array>>> {
  if (response.ok && response.body !== null) return { ok: true, value: response.body };
  return { ok: false, failure: await failureOf(response) };
}

/** A connection that breaks within an answer leaves nothing, or half of it; after an AbortError nobody waits for the answer. */
export async function reached<Value>(answer: Promise<Reply<Value>>): Promise<Reply<Value>> {
  try {
    return await answer;
  } catch (error) {
    const isAborted = error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);
    if (isAborted || error instanceof TypeError || error instanceof SyntaxError)
      return { ok: false, failure: UNREACHABLE };
    throw error;
  }
}
