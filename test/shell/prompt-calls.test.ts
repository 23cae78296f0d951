import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPageCrashes, MOST_RELOADS } from '../../src/shell/own-page.ts';
import { createPromptCalls, PANEL_STAYS_MS } from '../../src/shell/prompt-calls.ts';

const called = (id: string) => ({ id, isCalled: true });
const SHOWN = { wasShown: true };

function callsOf({ hasNotices = true } = {}) {
  const told: string[] = [];
  let nowMs = 0;
  const crashes = createPageCrashes({ nowMs: () => nowMs });
  const calls = createPromptCalls({
    crashes,
    panel: { call: () => void told.push('panel'), hide: () => void told.push('hide') },
    notices: {
      call(waiting, failed) {
        told.push(`notice ${waiting}`);
        if (!hasNotices) failed();
      },
      close: () => void told.push('no notice'),
    },
    showDashboard: () => void told.push('dashboard'),
  });
  const crash = (times: number) => {
    for (let count = 0; count < times; count += 1) calls.panelCrashed(SHOWN);
  };
  return {
    calls,
    crashes,
    crash,
    /** The calls since the last look. */
    told: () => told.splice(0),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('the panel', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('stays a moment after the last prompt, and longer when another one comes', () => {
    const { calls, told } = callsOf();
    calls.update([called('a')]);
    calls.update([]);
    expect(told()).toEqual(['panel', 'notice 1', 'no notice']);
    vi.advanceTimersByTime(PANEL_STAYS_MS - 1);
    calls.update([called('b')]);
    vi.advanceTimersByTime(PANEL_STAYS_MS);
    expect(told()).toEqual(['panel', 'notice 1']);
    calls.update([]);
    vi.advanceTimersByTime(PANEL_STAYS_MS);
    expect(told()).toEqual(['no notice', 'hide']);
  });
});

describe('a panel whose page crashes', () => {
  test('is shown again while a prompt waits', () => {
    const { calls, told } = callsOf();
    calls.update([called('a')]);
    told();
    calls.panelCrashed(SHOWN);
    expect(told()).toEqual(['panel']);
  });

  test('stays away when the person had closed it, or nothing waits', () => {
    const { calls, told } = callsOf();
    calls.panelCrashed(SHOWN);
    calls.update([called('a')]);
    told();
    calls.panelCrashed({ wasShown: false });
    expect(told()).toEqual([]);
  });

  test('gives way to a notification after three new pages', () => {
    const { calls, crash, told } = callsOf();
    calls.update([called('a')]);
    told();
    crash(MOST_RELOADS);
    expect(told()).toEqual(['panel', 'panel', 'panel']);
    crash(1);
    expect(told()).toEqual(['notice 1']);
    calls.update([called('a'), called('b')]);
    expect(told()).toEqual(['notice 2']);
  });

  test('gives way to the dashboard where the system shows no notification', () => {
    const { calls, crash, told } = callsOf({ hasNotices: false });
    calls.update([called('a')]);
    expect(told()).toEqual(['panel', 'notice 1']);
    crash(MOST_RELOADS + 1);
    expect(told().slice(MOST_RELOADS)).toEqual(['notice 1', 'dashboard']);
  });

  test('is tried again when the crashes are some time ago', () => {
    const { calls, crashes, crash, told, pass } = callsOf();
    calls.update([called('a')]);
    crash(MOST_RELOADS + 5);
    told();
    pass(10 * 60_000 - 1);
    expect(crashes.isGivenUp()).toBe(true);
    pass(1);
    expect(crashes.isGivenUp()).toBe(false);
    calls.update([called('b')]);
    expect(told()).toEqual(['panel', 'notice 1']);
  });
});
