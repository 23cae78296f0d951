import { expect, test } from 'vitest';
import { createSession } from '../../renderer/src/session/session.ts';
import { signInCode, takeSignInCode } from '../../renderer/src/session/sign-in-code.ts';
import type { Answer, Failure } from '../../renderer/src/wire/answer.ts';
import type { Session } from '../../src/contract/console.ts';

function memory(initial: Record<string, string> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
}

const never = () => Promise.reject(new Error('no session is to be ended here'));
const opened: Answer<Session> = { ok: true, value: { key: 'k', expiresAt: '2026-05-04T12:00:00.000Z' } };

test('a code becomes a session that the tab remembers', async () => {
  const storage = memory();
  const session = createSession({ storage, exchange: async () => opened, end: never });
  expect(session.get()).toEqual({ state: 'signed out', notice: undefined });
  const signingIn = session.signIn('code');
  expect(session.get()).toEqual({ state: 'signing in' });
  await signingIn;
  expect(session.get()).toEqual({ state: 'signed in', key: 'k' });
  expect(createSession({ storage, exchange: async () => opened, end: never }).get()).toEqual({
    state: 'signed in',
    key: 'k',
  });
});

test.each<[Failure, RegExp]>([
  [{ code: 'console_session_required', detail: '' }, /used already, is older than ten minutes/],
  [{ code: 'rate_limited', detail: '', retryAfterSeconds: 60 }, /A fresh one works at once/],
  [{ code: 'unreachable', detail: '' }, /Is it still running/],
  [{ code: 'internal_error', detail: 'Handrail failed.' }, /Handrail failed\./],
])('a code that is refused says why: %o', async (failure, notice) => {
  const session = createSession({ storage: memory(), exchange: async () => ({ ok: false, failure }), end: never });
  await session.signIn('code');
  expect(session.get()).toEqual({
    state: 'signed out',
    notice: { tone: 'problem', text: expect.stringMatching(notice) },
  });
});

test('a key the daemon no longer knows is forgotten', () => {
  const storage = memory({ 'handrail-session': 'old' });
  const session = createSession({ storage, exchange: async () => opened, end: never });
  session.lost();
  expect(session.get()).toEqual({
    state: 'signed out',
    notice: { tone: 'problem', text: expect.stringContaining('session has ended') },
  });
  expect(storage.items.size).toBe(0);
});

const UNHEARD = { tone: 'problem', text: expect.stringContaining('Handrail did not answer') };

test.each<[string, Answer<undefined>, object]>([
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
  const session = createSession({ storage, exchange: async () => opened, end });
  await session.signOut();
  await session.signOut();
  expect(ended).toEqual(['k']);
  expect(session.get()).toEqual({ state: 'signed out', notice });
  expect(storage.items.size).toBe(0);
});

test('a call that is refused because the person is signing out is no news', async () => {
  const answer = Promise.withResolvers<Answer<undefined>>();
  const storage = memory({ 'handrail-session': 'k' });
  const session = createSession({ storage, exchange: async () => opened, end: () => answer.promise });
  const states: string[] = [];
  session.subscribe(() => states.push(JSON.stringify(session.get())));
  const leaving = session.signOut();
  session.lost();
  answer.resolve({ ok: true, value: undefined });
  await leaving;
  expect(states).toEqual([
    JSON.stringify({ state: 'signed out', notice: { tone: 'done', text: 'You have signed out.' } }),
  ]);
});

test.each([
  ['abc_DEF-123', 'abc_DEF-123'],
  ['  abc \n', 'abc'],
  ['#abc', 'abc'],
  ['http://127.0.0.1:3001/login#abc', 'abc'],
  ['', ''],
  ['not a code', ''],
  ['<b>', ''],
  ['a'.repeat(129), ''],
])('in %j the code is %j', (text, code) => {
  expect(signInCode(text)).toBe(code);
});

test.each([
  ['/login', '#abc', 'abc', ['/']],
  ['/login', '', '', ['/']],
  ['/', '#abc', '', ['/']],
  ['/', '', '', []],
])('at %s%s the code is %j, and it leaves the address at once', (pathname, hash, code, addresses) => {
  const replaced: unknown[] = [];
  const history = { replaceState: (_state: unknown, _title: string, to?: string | URL | null) => replaced.push(to) };
  expect(takeSignInCode({ location: { pathname, hash }, history })).toBe(code);
  expect(replaced).toEqual(addresses);
});
