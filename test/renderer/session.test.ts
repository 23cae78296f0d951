import { expect, test } from 'vitest';
import { cleanAddress, createSession } from '../../renderer/src/session/session.ts';
import type { Failure, Reply } from '../../src/client/call.ts';
import type { Session } from '../../src/contract/session.ts';

function memory(initial: Record<string, string> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

const REFUSED: Failure = { code: 'console_session_required', detail: 'Sign in at the dashboard.' };
const never = () => Promise.reject(new Error('no session is to be ended here'));
const opened: Reply<Session> = { ok: true, value: { key: 'k', expiresAt: '2026-05-04T12:00:00.000Z' } };

type Parts = Parameters<typeof createSession>[0];
const sessionOf = (parts: Partial<Parts> = {}) =>
  createSession({ storage: memory(), exchange: async () => opened, end: never, ...parts });

test('a code becomes a session that the tab remembers', async () => {
  const storage = memory();
  const session = sessionOf({ storage });
  expect(session.get()).toEqual({ state: 'signed out', notice: undefined });
  const signingIn = session.signIn('code');
  expect(session.get()).toEqual({ state: 'signing in' });
  await signingIn;
  expect(session.get()).toEqual({ state: 'signed in', key: 'k' });
  expect(sessionOf({ storage }).get()).toEqual({ state: 'signed in', key: 'k' });
});

test.each<[Failure, RegExp]>([
  [{ code: 'console_session_required', detail: '' }, /mistyped, used, or older than ten minutes/],
  [{ code: 'rate_limited', detail: '', retryAfterSeconds: 60 }, /A fresh one works at once/],
  [{ code: 'unreachable', detail: '' }, /Is it running/],
  [{ code: 'internal_error', detail: 'Handrail failed.' }, /Handrail failed\./],
  [{ code: 'console_session_required', detail: 'It was used before.', reason: 'code_reused' }, /It was used before\./],
])('a code that is refused says why: %o', async (failure, notice) => {
  const session = sessionOf({ exchange: async () => ({ ok: false, failure }) });
  await session.signIn('code');
  expect(session.get()).toEqual({
    state: 'signed out',
    notice: { tone: 'problem', text: expect.stringMatching(notice) },
  });
});

test('a key the daemon no longer knows is forgotten', () => {
  const storage = memory({ 'handrail-session': 'old' });
  const session = sessionOf({ storage });
  session.lost(REFUSED);
  expect(session.get()).toEqual({
    state: 'signed out',
    notice: { tone: 'problem', text: expect.stringContaining('session has ended') },
  });
  expect(storage.items.size).toBe(0);
});

test('a page that lost its session shows the reason in the words of the daemon', () => {
  const session = sessionOf({ storage: memory({ 'handrail-session': 'old' }) });
  session.lost({ ...REFUSED, reason: 'code_reused', detail: 'Someone used your sign-in code again.' });
  expect(session.get()).toEqual({
    state: 'signed out',
    notice: { tone: 'problem', text: 'Someone used your sign-in code again.' },
  });
});

test('a second press while the code is on its way sends nothing', async () => {
  const sent: string[] = [];
  const exchange = async (code: string) => {
    sent.push(code);
    return opened;
  };
  const session = sessionOf({ exchange });
  await Promise.all([session.signIn('code'), session.signIn('code')]);
  expect(sent).toEqual(['code']);
});

const UNHEARD = { tone: 'problem', text: expect.stringContaining('Handrail did not answer') };

test.each<[string, Reply<undefined>, object]>([
  ['the daemon has let go of it', { ok: true, value: undefined }, { tone: 'done', text: 'You have signed out.' }],
  [
    'it was over already',
    { ok: false, failure: { code: 'console_session_required', detail: '' } },
    { tone: 'done', text: 'You have signed out.' },
  ],
  ['nobody answers', { ok: false, failure: { code: 'unreachable', detail: '' } }, UNHEARD],
])('signing out forgets the key: %s', async (_what, answer, notice) => {
  const storage = memory({ 'handrail-session': 'k' });
  const ended: string[] = [];
  const end = async (key: string) => {
    ended.push(key);
    return answer;
  };
  const session = sessionOf({ storage, end });
  await session.signOut();
  await session.signOut();
  expect(ended).toEqual(['k']);
  expect(session.get()).toEqual({ state: 'signed out', notice });
  expect(storage.items.size).toBe(0);
});

test('a call that is refused because the person is signing out is no news', async () => {
  const answer = Promise.withResolvers<Reply<undefined>>();
  const storage = memory({ 'handrail-session': 'k' });
  const session = sessionOf({ storage, end: () => answer.promise });
  const states: string[] = [];
  session.subscribe(() => states.push(JSON.stringify(session.get())));
  const leaving = session.signOut();
  session.lost(REFUSED);
  answer.resolve({ ok: true, value: undefined });
  await leaving;
  expect(states).toEqual([
    JSON.stringify({ state: 'signed out', notice: { tone: 'done', text: 'You have signed out.' } }),
  ]);
});

test.each([
  ['#7KQF-3XWA', ['/']],
  ['', []],
])('the fragment %j is removed from the address', (hash, addresses) => {
  const replaced: unknown[] = [];
  const history = { replaceState: (_state: unknown, _title: string, to?: string | URL | null) => replaced.push(to) };
  cleanAddress({ location: { hash }, history });
  expect(replaced).toEqual(addresses);
});
