import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Session } from '../../../src/contract/session.ts';
import { isRefusal, type Refusal } from '../../../src/services/refusal.ts';
import { createConsoleSessions } from '../../../src/services/sessions/sessions.ts';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { createPageKeys } from '../../http/page-key.ts';
import { type Rig, startServices, test } from '../rig.ts';

const HOUR_MS = 3_600_000;

function opened(answer: Session | Refusal): string {
  if (isRefusal(answer)) throw new Error(`no session was opened: ${answer.detail}`);
  return answer.key;
}

function signIn(rig: Rig): string {
  return opened(rig.services.console.sessions.open(rig.services.createSignInCode()));
}

function codeIn(rig: Rig, key: string): string {
  const code = rig.services.console.sessions.createCodeIn(key);
  if (isRefusal(code)) throw new Error(`no code was made: ${code.detail}`);
  return code;
}

function isLive(rig: Rig, ...keys: string[]): boolean[] {
  return keys.map((key) => rig.services.console.sessions.isOpen(key));
}

describe('a sign-in code', () => {
  test('has eight characters of an alphabet without look-alikes, each of them used', ({ rig }) => {
    const codes = Array.from({ length: 500 }, () => rig.services.createSignInCode());
    expect(codes.filter((code) => !/^[2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(500);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(27);
  });

  test.each([
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without the dash', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => `  ${[...code].join(' ')}\n`],
    ['with a long dash', (code: string) => code.replace('-', '\u2013')],
    ['as the whole line', (code: string) => `code ${code}`],
    ['with a letter that looks like the digit', (code: string) => code.replaceAll('2', 'z').replaceAll('5', 'S')],
  ])('opens a session when it is typed %s', (_how, typed) => {
    const rig = startServices();
    const code = rig.services.createSignInCode();
    expect(rig.services.console.sessions.open(typed(code))).toMatchObject({ key: expect.any(String) });
  });

  test('is good for ten minutes, and not a millisecond longer', ({ rig }) => {
    const code = rig.services.createSignInCode();
    rig.clock.advance(599_999);
    expect(rig.services.console.sessions.open(code)).toMatchObject({ key: expect.any(String) });
    const late = rig.services.createSignInCode();
    rig.clock.advance(600_000);
    expect(rig.services.console.sessions.open(late)).toMatchObject({ refused: 'console_session_required' });
  });

  test.each([
    [499_999, { key: expect.any(String) }],
    [500_000, { refused: 'rate_limited' }],
  ])(
    'after %d wrong ones: %o',
    (count, answer) => {
      const rig = startServices();
      const code = rig.services.createSignInCode();
      for (let wrong = 0; wrong < count; wrong += 1) rig.services.console.sessions.open('QQQQ-QQQQ');
      expect(rig.services.console.sessions.open(code)).toMatchObject(answer);
    },
    60_000,
  );
});

test('a fresh sign-in code is good for as many wrong ones again', ({ rig }) => {
  const guess = (count: number) => {
    for (let wrong = 0; wrong < count; wrong += 1) rig.services.console.sessions.open('QQQQ-QQQQ');
  };
  rig.services.createSignInCode();
  guess(300_000);
  const code = rig.services.createSignInCode();
  guess(300_000);
  expect(rig.services.console.sessions.open(code)).toMatchObject({ key: expect.any(String) });
}, 60_000);

describe('a sign-in code that is entered a second time', () => {
  test('ends the session it opened, and tells both programs that used it', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const key = opened(rig.services.console.sessions.open(code));
    const stream = rig.services.console.sessions.signal(key);
    expect(rig.services.console.sessions.open(code)).toMatchObject({
      refused: 'console_session_required',
      detail: expect.stringContaining('was used before, so Handrail ended the session it had opened'),
      facts: { reason: 'code_reused' },
    });
    expect([isLive(rig, key), stream.aborted]).toEqual([[false], true]);
    expect(rig.services.console.sessions.whyEnded(key)).toBe('code_reused');
    expect(rig.kinds().slice(-2)).toEqual(['session.opened', 'session.code_reused']);
  });

  test('leaves sessions of other codes open', ({ rig }) => {
    const other = signIn(rig);
    const code = rig.services.createSignInCode();
    const key = opened(rig.services.console.sessions.open(code));
    rig.services.console.sessions.open(code);
    expect(isLive(rig, key, other)).toEqual([false, true]);
  });

  test('ends its session though five wrong codes within the minute came before, which a thief would send', () => {
    const rig = startServices();
    const code = rig.services.createSignInCode();
    const thief = opened(rig.services.console.sessions.open(code));
    for (let count = 0; count < 6; count += 1) rig.services.console.sessions.open('QQQQ-QQQQ');
    expect(rig.services.console.sessions.open(code)).toMatchObject({ facts: { reason: 'code_reused' } });
    expect(isLive(rig, thief)).toEqual([false]);
  });

  test('ends the sessions that were opened with codes of its session, also when that one has signed out', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const thief = opened(rig.services.console.sessions.open(code));
    const second = opened(rig.services.console.sessions.open(codeIn(rig, thief)));
    const third = opened(rig.services.console.sessions.open(codeIn(rig, second)));
    rig.services.console.sessions.close(thief);
    expect(isLive(rig, second, third)).toEqual([true, true]);
    rig.services.console.sessions.open(code);
    expect(isLive(rig, second, third)).toEqual([false, false]);
  });

  test('ends its session though a hundred codes were made since', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const thief = opened(rig.services.console.sessions.open(code));
    for (let count = 0; count < 101; count += 1) codeIn(rig, thief);
    rig.services.console.sessions.open(code);
    expect(isLive(rig, thief)).toEqual([false]);
  });

  test('voids the unused code that its session has asked for', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const thief = opened(rig.services.console.sessions.open(code));
    const spare = codeIn(rig, thief);
    rig.services.console.sessions.open(code);
    expect(rig.services.console.sessions.open(spare)).toMatchObject({ refused: 'console_session_required' });
  });

  test('ends nothing when its session is over already, and is only refused', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const key = opened(rig.services.console.sessions.open(code));
    const other = signIn(rig);
    rig.services.console.sessions.close(key);
    const answer = rig.services.console.sessions.open(code);
    expect(answer).toMatchObject({ refused: 'console_session_required' });
    expect(answer).not.toHaveProperty('facts');
    expect(isLive(rig, other)).toEqual([true]);
  });
});

describe('a session over a restart', () => {
  /** Ends the daemon in order, and starts the next one on the same data. */
  function restart(rig: Rig, awayMs = 1_000): Rig {
    rig.services.keepSessions();
    rig.clock.setWallClock(rig.clock.nowMs() + awayMs);
    return rig.crashAndRestart();
  }

  test('goes on under the same key and id, as long as it was not idle for twelve hours', ({ rig }) => {
    const key = signIn(rig);
    const before = rig.services.console.sessions.list(key);
    const next = restart(rig);
    expect(next.services.console.sessions.list(key)).toEqual(before);
    expect(isLive(next, key)).toEqual([true]);
    expect(next.services.console.sessions.signal(key).aborted).toBe(false);
    const late = restart(next, 12 * HOUR_MS);
    expect(isLive(late, key)).toEqual([false]);
    const again = startServices();
    const other = signIn(again);
    expect(isLive(restart(again, 12 * HOUR_MS - 1), other)).toEqual([true]);
  });

  test('A27: belongs to its page afterwards too, and a proof of the run before is refused', ({ rig }) => {
    const keys = createPageKeys();
    const code = rig.services.createSignInCode();
    const session = opened(rig.services.console.sessions.open(code, { publicKey: keys.publicKey }));
    const call = (number: string) => {
      const [proof] = Object.values(keys.proofOf({ line: 'GET /', session, number }));
      return { method: 'GET', target: '/', proof };
    };
    const answers = ({ services }: Rig, numbers: string[]) =>
      numbers.map((number) => services.console.sessions.isOpen(session, call(number)));
    expect(answers(rig, ['7', '5'])).toEqual([true, true]);
    const next = restart(rig);
    expect([isLive(next, session), answers(next, ['5', '6', '7', '8', '8'])]).toEqual([
      [false],
      [false, false, false, true, false],
    ]);
    expect(answers(restart(next), ['8', '9'])).toEqual([false, true]);
  });

  test('A27: the numbers of a thousand calls need no more and more room, and none of them is good again', ({ rig }) => {
    const keys = createPageKeys();
    const code = rig.services.createSignInCode();
    const session = opened(rig.services.console.sessions.open(code, { publicKey: keys.publicKey }));
    const isServed = (number: number) => {
      const [proof] = Object.values(keys.proofOf({ line: 'GET /', session, number: String(number) }));
      return rig.services.console.sessions.isOpen(session, { method: 'GET', target: '/', proof });
    };
    for (let number = 1_100; number > 100; number -= 1) expect(isServed(number)).toBe(true);
    for (const number of [50, 101, 600, 601, 1_100]) expect(isServed(number)).toBe(false);
    expect(isServed(1_101)).toBe(true);
  });

  test('ends when it is idle afterwards, and its listeners are told', ({ rig }) => {
    const key = signIn(rig);
    const next = restart(rig);
    const stream = next.services.console.sessions.signal(key);
    next.clock.advance(12 * HOUR_MS);
    expect([stream.aborted, next.services.console.sessions.whyEnded(key)]).toEqual([true, 'idle']);
  });

  test('stays ended when the person, a reused code or a signing out ended it', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const reused = opened(rig.services.console.sessions.open(code));
    const [mine, ended, left] = [signIn(rig), signIn(rig), signIn(rig)];
    rig.services.console.sessions.open(code);
    const id = rig.services.console.sessions.list(ended).find(({ isCurrent }) => isCurrent)?.id;
    rig.services.console.sessions.endById(String(id));
    rig.services.console.sessions.close(left);
    expect(isLive(restart(rig), mine, reused, ended, left)).toEqual([true, false, false, false]);
  });

  test('ends when its code is entered again, with the sessions that came from it', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const key = opened(rig.services.console.sessions.open(code));
    const from = opened(rig.services.console.sessions.open(codeIn(rig, key)));
    const other = signIn(rig);
    const next = restart(rig);
    expect(next.services.console.sessions.open(code)).toMatchObject({ facts: { reason: 'code_reused' } });
    expect(isLive(next, key, from, other)).toEqual([false, false, true]);
  });

  test('is taken up once: after a crash no session comes back, also none that was ended meanwhile', ({ rig }) => {
    const [key, ended] = [signIn(rig), signIn(rig)];
    const next = restart(rig);
    next.services.console.sessions.close(ended);
    expect(isLive(next, key, ended)).toEqual([true, false]);
    expect(isLive(next.crashAndRestart(), key, ended)).toEqual([false, false]);
  });

  test('is not taken up where that cannot be stored, since it could come back a second time', ({ rig }) => {
    const key = signIn(rig);
    rig.services.keepSessions();
    let isFull = true;
    const write: Store['write'] = (durability, work) => {
      if (isFull) throw new StorageUnavailable('the disk is full');
      return rig.store.write(durability, work);
    };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const store = { ...rig.store, write };
    const next = createConsoleSessions({ store, clock: rig.clock, newId: (prefix) => prefix, log });
    next.takeUp();
    expect([next.isOpen(key), rig.store.settings.get('consoleSessions')]).toEqual([false, [expect.anything()]]);
    isFull = false;
    rig.clock.advance(2_000);
    expect([next.isOpen(key), rig.store.settings.get('consoleSessions')]).toEqual([false, []]);
  });

  test('a stolen copy of the data opens nothing: the key is not in it, and what is in it is no key', ({ rig }) => {
    const code = rig.services.createSignInCode();
    const key = opened(rig.services.console.sessions.open(code));
    rig.services.keepSessions();
    const files = readdirSync(rig.store.path).map((name) => join(rig.store.path, name));
    const bytes = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'));
    for (const secret of [key, code, code.replace('-', '')]) expect(bytes.join('')).not.toContain(secret);
    for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
    const [kept] = Object(rig.store.settings.get('consoleSessions'));
    expect(kept.digest).toMatch(/^[0-9a-f]{64}$/);
    const next = restart(rig);
    for (const stolen of [kept.digest, kept.id, ...kept.lineage]) {
      expect(isLive(next, stolen)).toEqual([false]);
      expect(next.services.console.sessions.open(stolen)).toMatchObject({ refused: 'console_session_required' });
    }
    expect(isLive(next, key)).toEqual([true]);
  });

  test.each([
    ['a session with a short digest', { digest: 'abc' }],
    ['one without a lineage, which no reused code could end', { lineage: [] }],
    ['one without a time', { lastUsedAtMs: null }],
    ['one of a page whose key is none', { pageKey: { publicKey: '00', after: '1' } }],
    ['one of a page without its last number', { pageKey: { publicKey: createPageKeys().publicKey } }],
  ])('%s is not taken up', (_what, change) => {
    const rig = startServices();
    const key = signIn(rig);
    rig.services.keepSessions();
    const [kept] = Object(rig.store.settings.get('consoleSessions'));
    rig.store.write('durable', () => rig.store.settings.set('consoleSessions', [{ ...kept, ...change }, 7, null]));
    const next = rig.crashAndRestart();
    expect(next.services.console.sessions.list(key)).toEqual([]);
  });

  test('a clock that was set back adds no more than twelve hours to it', ({ rig }) => {
    const key = signIn(rig);
    const next = restart(rig, -48 * HOUR_MS);
    next.clock.setWallClock(next.clock.nowMs() + 12 * HOUR_MS);
    expect(isLive(next, key)).toEqual([false]);
  });
});

test.each([
  [12 * HOUR_MS - 1, true],
  [12 * HOUR_MS, false],
])(
  'a session that was idle while the computer was suspended for %d ms, in which no timer ran, opens: %s',
  (idleMs, opens) => {
    const rig = startServices();
    const key = signIn(rig);
    rig.clock.setWallClock(rig.clock.nowMs() + idleMs);
    expect(isLive(rig, key)).toEqual([opens]);
    expect(rig.services.console.sessions.whyEnded(key)).toBe(opens ? undefined : 'idle');
  },
);

test('the end of a session ends the unused code that was made in it, and not that of the session before it', () => {
  const rig = startServices();
  const first = signIn(rig);
  const second = opened(rig.services.console.sessions.open(codeIn(rig, first)));
  const ofFirst = codeIn(rig, first);
  rig.services.console.sessions.close(second);
  const third = opened(rig.services.console.sessions.open(ofFirst));
  const ofThird = codeIn(rig, third);
  rig.services.console.sessions.close(third);
  expect(rig.services.console.sessions.open(ofThird)).toMatchObject({ refused: 'console_session_required' });
});

describe('the list of sessions', () => {
  test('says when each was opened and last used, until when it lives, and which one asks', ({ rig }) => {
    const first = signIn(rig);
    rig.clock.advance(HOUR_MS);
    const code = rig.services.createSignInCode();
    const second = opened(rig.services.console.sessions.open(code, { program: 'curl' }));
    rig.clock.advance(HOUR_MS);
    rig.services.console.sessions.isOpen(first);
    expect(rig.services.console.sessions.list(first)).toEqual([
      {
        id: expect.stringMatching(/^ses_[0-9A-HJKMNP-TV-Z]{26}$/),
        openedAt: '2026-01-01T01:00:00.000Z',
        lastUsedAt: '2026-01-01T01:00:00.000Z',
        expiresAt: '2026-01-01T13:00:00.000Z',
        isCurrent: false,
        program: 'curl',
      },
      {
        id: expect.stringMatching(/^ses_/),
        openedAt: '2026-01-01T00:00:00.000Z',
        lastUsedAt: '2026-01-01T02:00:00.000Z',
        expiresAt: '2026-01-01T14:00:00.000Z',
        isCurrent: true,
      },
    ]);
    expect(JSON.stringify(rig.services.console.sessions.list(first))).not.toMatch(new RegExp(`${first}|${second}`));
  });

  test('a session is ended by its id, once, with its stream and its unused code', ({ rig }) => {
    const mine = signIn(rig);
    const other = signIn(rig);
    const stream = rig.services.console.sessions.signal(other);
    const spare = codeIn(rig, other);
    const id = String(rig.services.console.sessions.list(other).find(({ isCurrent }) => isCurrent)?.id);
    expect(rig.services.console.sessions.endById(id)).toBeUndefined();
    expect([isLive(rig, mine, other), stream.aborted]).toEqual([[true, false], true]);
    expect(rig.services.console.sessions.whyEnded(other)).toBe('ended_by_person');
    expect(rig.services.console.sessions.open(spare)).toMatchObject({ refused: 'console_session_required' });
    expect(rig.services.console.sessions.endById(id)).toMatchObject({ refused: 'not_found' });
    expect(rig.kinds()).toContain('session.ended');
  });

  test('the end of a session leaves the unused code of the session that it came from', ({ rig }) => {
    const outer = signIn(rig);
    const inner = opened(rig.services.console.sessions.open(codeIn(rig, outer)));
    const spare = codeIn(rig, outer);
    rig.services.console.sessions.close(inner);
    expect(rig.services.console.sessions.open(spare)).toMatchObject({ key: expect.any(String) });
  });

  test('all others are ended at once', ({ rig }) => {
    const [mine, second, third] = [signIn(rig), signIn(rig), signIn(rig)];
    expect(rig.services.console.sessions.endOthers(second)).toBe(2);
    expect(isLive(rig, mine, second, third)).toEqual([false, true, false]);
    expect(rig.services.console.sessions.endOthers(second)).toBe(0);
  });

  test('has 32 at most: the one that was not used for the longest time makes room', ({ rig }) => {
    const keys = Array.from({ length: 32 }, () => {
      rig.clock.advance(1);
      return signIn(rig);
    });
    const [first = '', second = ''] = keys;
    rig.clock.advance(1);
    expect(isLive(rig, first)).toEqual([true]);
    const last = signIn(rig);
    expect(isLive(rig, first, second, last)).toEqual([true, false, true]);
    expect(rig.services.console.sessions.whyEnded(second)).toBe('too_many');
  });

  test('eight sessions may follow from one code, and the eighth can make no further one', ({ rig }) => {
    let key = signIn(rig);
    for (let depth = 1; depth < 8; depth += 1) key = opened(rig.services.console.sessions.open(codeIn(rig, key)));
    expect(rig.services.console.sessions.createCodeIn(key)).toMatchObject({
      refused: 'rate_limited',
      retryAfterSeconds: 60,
    });
  });
});
