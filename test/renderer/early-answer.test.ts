import { expect, test } from 'vitest';
import { askEarly, earlyRisk, SESSION_KEY, withEarlyAnswer } from '../../renderer/src/wire/early-answer.ts';
import { OVERVIEW_CALL } from '../../src/client/overview-call.ts';

type Calls = { fetch: typeof globalThis.fetch; sent: unknown[] };

/** Notes each call, and answers with its number. */
function calls(): Calls {
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push([input, init]);
    return new Response(String(sent.length));
  };
  return { fetch, sent };
}

type Opened = { hash?: string; key?: string | null; hidden?: boolean };

function opened(fetch: typeof globalThis.fetch, { hash = '#/overview', key = 'k', hidden = false }: Opened = {}) {
  const getItem = (name: string) => (name === SESSION_KEY ? key : null);
  return askEarly({ fetch, hash, hidden, getItem, nowMs: () => 1_000 });
}

const headers = { authorization: 'Bearer k' };
const textOf = async (answer: Promise<Response>) => (await answer).text();

test('on the overview of a person who is signed in, the first call for the risk gets the early answer', async () => {
  const { fetch, sent } = calls();
  const early = opened(fetch);
  expect(sent).toEqual([[OVERVIEW_CALL, { headers }]]);
  const wrapped = withEarlyAnswer(fetch, early, () => 1_100);
  expect(await textOf(wrapped('/api/console/status', { headers }))).toBe('2');
  expect(await textOf(wrapped(OVERVIEW_CALL, { headers }))).toBe('1');
  expect(await textOf(wrapped(OVERVIEW_CALL, { headers }))).toBe('3');
});

test('nothing is asked for early on another page, without a session, or where nobody sees the page', () => {
  const { fetch, sent } = calls();
  for (const page of [{ hash: '#/activity' }, { hash: '#/overviews' }, { key: null }, { hidden: true }])
    expect(opened(fetch, page)).toBeUndefined();
  expect(sent).toEqual([]);
  expect(opened(fetch, { hash: '#/overview?window=7d' })).toBeDefined();
});

test('an early answer of another session, or of more than five seconds ago, is not used', async () => {
  const { fetch } = calls();
  const other = withEarlyAnswer(fetch, opened(fetch), () => 1_100);
  expect(await textOf(other(OVERVIEW_CALL, { headers: { authorization: 'Bearer other' } }))).toBe('2');
  const late = withEarlyAnswer(fetch, opened(fetch), () => 6_000);
  expect(await textOf(late(OVERVIEW_CALL, { headers }))).toBe('4');
});

/** An early answer that comes, breaks or never ends. */
const early = (response: Promise<Response>) => ({ path: OVERVIEW_CALL, key: 'k', askedAtMs: 0, response });

test('an early answer that comes in time is the risk with which the page is drawn', async () => {
  const answered = early(Promise.resolve(Response.json({ generatedAt: 'now' })));
  expect(await earlyRisk(answered)).toEqual({ risk: { key: 'k', dashboard: { generatedAt: 'now' } } });
  expect(await earlyRisk(undefined)).toEqual({});
});

test('an early answer that is late or a refusal is left to the first call for the risk', async () => {
  const late = early(new Promise(() => undefined));
  expect(await earlyRisk(late, 1)).toEqual({ late });
  const refused = early(Promise.resolve(new Response('{}', { status: 401 })));
  expect(await earlyRisk(refused)).toEqual({ late: refused });
});

test('an early answer that breaks off is asked for again', async () => {
  expect(await earlyRisk(early(Promise.reject(new TypeError('no connection'))))).toEqual({});
  expect(await earlyRisk(early(Promise.resolve(new Response('{"half'))))).toEqual({});
});
