import { expect, test } from 'vitest';
import { createAnnouncer } from '../../renderer/src/calls/announcer.ts';
import type { FeedState } from '../../renderer/src/feed/feed.ts';
import { createObservable } from '../../renderer/src/observable.ts';
import { createPreferences, type Preferences } from '../../renderer/src/preferences.ts';
import { newConfirmation } from '../browser/made-up.ts';

const NOTHING: FeedState = {
  connection: 'live',
  confirmations: [],
  status: undefined,
  grants: [],
  profiles: undefined,
  stuckTasks: [],
};
const DEFAULTS: Preferences = { theme: 'system', sound: false, notifications: false, isCallAnswered: false };
const calledAt = '2026-01-01T00:00:00.000Z';

function startAnnouncer(preferences: Partial<Preferences>, { isAttended = false } = {}) {
  const feed = createObservable(NOTHING);
  const calls: string[] = [];
  createAnnouncer({
    feed,
    preferences: createObservable({ ...DEFAULTS, ...preferences }),
    attention: createObservable(isAttended),
    play: () => calls.push('sound'),
    notify: () => calls.push('notification'),
  });
  return {
    calls,
    show: (...confirmations: FeedState['confirmations'][number][]) => feed.set({ ...NOTHING, confirmations }),
  };
}

test('a prompt for which the person is called plays a sound once', () => {
  const { calls, show } = startAnnouncer({ sound: true });
  const prompt = { ...newConfirmation({}), calledAt };
  show(prompt);
  show(prompt, newConfirmation({ userId: 'ann' }));
  expect(calls).toEqual(['sound']);
  show(prompt, { ...newConfirmation({ userId: 'ann' }), calledAt });
  expect(calls).toEqual(['sound', 'sound']);
});

test('a prompt for which the person is not called makes no sound', () => {
  const { calls, show } = startAnnouncer({ sound: true, notifications: true });
  show(newConfirmation({}));
  expect(calls).toEqual([]);
});

test('a notification comes only while the person looks elsewhere', () => {
  const away = startAnnouncer({ notifications: true });
  away.show({ ...newConfirmation({}), calledAt });
  expect(away.calls).toEqual(['notification']);
  const here = startAnnouncer({ notifications: true }, { isAttended: true });
  here.show({ ...newConfirmation({}), calledAt });
  expect(here.calls).toEqual([]);
});

test('preferences are kept, and a stored value that cannot be read counts as the default', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
  createPreferences(storage).change({ theme: 'dark', sound: true, isCallAnswered: true });
  expect(createPreferences(storage).get()).toEqual({ ...DEFAULTS, theme: 'dark', sound: true, isCallAnswered: true });
  for (const text of ['{', '"dark"', 'null', '{"theme":"pink","sound":"yes"}']) {
    items.set('handrail-preferences', text);
    expect(createPreferences(storage).get()).toEqual(DEFAULTS);
  }
});
