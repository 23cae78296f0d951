import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEarlyAsks } from '../../src/shell/asks.ts';
import { createEnding, endProcess } from '../../src/shell/ending.ts';
import { inOrder, orLogged } from '../../src/shell/log.ts';
import { createScreenWatch } from '../../src/shell/mac-programs.ts';
import { createChanges, isWantedAfterFlip } from '../../src/shell/menu.ts';
import { createWindowSessions, mayGoTo } from '../../src/shell/own-page.ts';
import { bringForward } from '../../src/shell/prompt-calls.ts';
import { createTouchId } from '../../src/shell/touch-id.ts';
import { createFakeWindow } from './fake-electron.ts';

describe('the sessions of windows', () => {
  function sessionsOf() {
    const told: string[] = [];
    let count = 0;
    const sessions = createWindowSessions({
      openSession(publicKey) {
        count += 1;
        told.push(`open ${count}${publicKey === undefined ? '' : ` by ${publicKey}`}`);
        return { key: `key ${count}` };
      },
      closeSession: (key: string) => void told.push(`close ${key}`),
    });
    return { sessions, told };
  }

  test('are one at a time for a window: a page that signs in again leaves none behind', () => {
    const { sessions, told } = sessionsOf();
    sessions.open(7);
    sessions.open(7, 'its key');
    expect(told).toEqual(['open 1', 'close key 1', 'open 2 by its key']);
  });
});

describe('Touch ID', () => {
  function touchIdOf({ isGone = false, isAvailable = true, isWaiting = true } = {}) {
    const reasons: string[] = [];
    let finger = Promise.withResolvers<void>();
    const touchId = createTouchId({
      isAvailable: () => isAvailable,
      promptFor(reason) {
        reasons.push(reason);
        finger = Promise.withResolvers<void>();
        return finger.promise;
      },
      person: () => ({ sentenceOf: () => (isGone ? undefined : 'Open xterm'), touched: () => isWaiting }),
    });
    return { touchId, reasons, give: () => finger.resolve(), refuse: () => finger.reject(new Error('Canceled.')) };
  }

  test('for a prompt that ended while the dialog stood is gone', async () => {
    const { touchId, give } = touchIdOf({ isWaiting: false });
    const answer = touchId.prove('a');
    give();
    expect(await answer).toBe('gone');
  });
});

test('early requests wait for the app: each refused one is counted, the latest of the others is carried out, once', () => {
  const asks = createEarlyAsks();
  for (const ask of ['show', 'refused', 'review', 'refused'] as const) asks.receive(ask);
  const told: string[] = [];
  const receiver = { carryOut: (ask: string) => void told.push(ask), refused: () => void told.push('refused') };
  asks.open(receiver);
  asks.open(receiver);
  expect(told.splice(0)).toEqual(['refused', 'refused', 'review']);
  for (const ask of ['refused', 'show'] as const) asks.receive(ask);
  expect(told).toEqual(['refused', 'show']);
});

test('a window comes forward with the keyboard, and is restored only when it is minimized', () => {
  const window = createFakeWindow();
  bringForward(window);
  bringForward(window);
  expect(window.calls).toEqual(['restore', 'show', 'focus', 'show', 'focus']);
});

describe('the end of the app', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  function endingOf() {
    const exits: number[] = [];
    const closed = Promise.withResolvers<void>();
    let closes = 0;
    const end = createEnding({
      close() {
        closes += 1;
        return closed.promise;
      },
      exit: (code) => void exits.push(code),
    });
    return { end, exits, closed, closes: () => closes };
  }

  test('closes once, however often it is asked for, and exits with 0 when that is done', async () => {
    const { end, exits, closed, closes } = endingOf();
    end();
    end();
    expect([closes(), exits]).toEqual([1, []]);
    closed.resolve();
    await setImmediate();
    expect(exits).toEqual([0]);
  });

  test('does not wait for a part that never closes', () => {
    const { end, exits } = endingOf();
    end();
    vi.advanceTimersByTime(11_999);
    expect(exits).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(exits).toEqual([1]);
  });
});

test('a step that fails is logged, and the steps after it are taken', async () => {
  const told: unknown[] = [];
  const log = { error: (fields: object, message: string) => void told.push([fields, message]) };
  const err = new Error('disk I/O error');
  const fail = () => {
    throw err;
  };
  orLogged(fail, 'not stored', log);
  await inOrder([() => told.push('a'), async () => fail(), fail, () => told.push('b')], 'not closed', log);
  expect(told).toEqual([[{ err }, 'not stored'], 'a', [{ err }, 'not closed'], [{ err }, 'not closed'], 'b']);
});

test('a process is asked to end, or ended by its id; one that has ended is no error', () => {
  const told: unknown[] = [];
  const child = { pid: 42, kill: () => told.push('asked') };
  const kill = (pid: number, signal?: string | number) => {
    told.push([pid, signal]);
    return true as const;
  };
  const failWith = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  endProcess(child, 'SIGTERM', kill);
  endProcess(child, 'SIGKILL', kill);
  endProcess({ ...child, pid: undefined }, 'SIGKILL', kill);
  expect(told).toEqual(['asked', [42, 'SIGKILL'], 'asked']);
  expect(() => endProcess(child, 'SIGKILL', failWith('ESRCH'))).not.toThrow();
  expect(() => endProcess(child, 'SIGKILL', failWith('EPERM'))).toThrow('EPERM');
});

test('a value differs from the one before, or does not', () => {
  const hasChanged = createChanges();
  expect([['a'], ['a'], ['b'], ['a']].map((value) => hasChanged(value))).toEqual([true, false, true, true]);
});

test('an event of the system wins over the state that it reports for the start', () => {
  const told: string[] = [];
  const watch = createScreenWatch((change) => void told.push(change));
  watch.atStart(undefined);
  watch.atStart({ locked: true });
  watch.heard({ locked: false });
  watch.atStart({ locked: true, otherUser: true });
  watch.heard({ otherUser: true });
  expect(told).toEqual(['locked', 'unlocked', 'locked']);
});

test('a page may go nowhere before the address of the daemon is known', () => {
  const own = 'http://127.0.0.1:3001/';
  expect([mayGoTo(own, undefined), mayGoTo(own, own), mayGoTo('https://example.com/', own)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('the switch of the login item asks for it unless it is on', () => {
  expect((['on', 'off', 'approve', 'unavailable'] as const).map(isWantedAfterFlip)).toEqual([false, true, true, true]);
});
