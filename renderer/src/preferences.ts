import { createObservable, type Observable } from './observable.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Choices of the person that concern this browser only. */
export type Preferences = {
  theme: Theme;
  /** Whether a sound is played when the person is called. */
  sound: boolean;
  /** Whether a notification of the browser is shown when the person is called and looks elsewhere. */
  notifications: boolean;
  /** Whether the person has answered the offer of sound and notification. */
  isCallAnswered: boolean;
  /** The run that last had the hint of a procedure, and when; it is given once a week. */
  hint?: { actionId: string; atMs: number } | undefined;
};

export type PreferenceStore = Observable<Preferences> & { change(part: Partial<Preferences>): void };

const STORAGE_KEY = 'handrail-preferences';
const DEFAULTS: Preferences = { theme: 'system', sound: false, notifications: false, isCallAnswered: false };

/** Keeps the preferences in the storage of the browser. A stored value that cannot be read counts as the default. */
export function createPreferences(storage: Pick<Storage, 'getItem' | 'setItem'>): PreferenceStore {
  const state = createObservable(readPreferences(storage.getItem(STORAGE_KEY)));
  return {
    get: state.get,
    subscribe: state.subscribe,
    change(part) {
      const next = { ...state.get(), ...part };
      storage.setItem(STORAGE_KEY, JSON.stringify(next));
      state.set(next);
    },
  };
}

function readPreferences(text: string | null): Preferences {
  const stored = parsed(text ?? '{}');
  const theme = THEMES.find((one) => one === stored.theme) ?? DEFAULTS.theme;
  const isOn = (name: 'sound' | 'notifications' | 'isCallAnswered') => stored[name] === true;
  return {
    theme,
    sound: isOn('sound'),
    notifications: isOn('notifications'),
    isCallAnswered: isOn('isCallAnswered'),
    ...(isHint(stored.hint) && { hint: stored.hint }),
  };
}

function isHint(hint: unknown): hint is NonNullable<Preferences['hint']> {
  const { actionId, atMs } = Object(hint);
  return typeof actionId === 'string' && typeof atMs === 'number';
}

function parsed(text: string): Partial<Record<keyof Preferences, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Applies the theme to the page now and whenever it changes. */
export function followTheme(preferences: Observable<Preferences>, root: HTMLElement): void {
  const apply = () => {
    const { theme } = preferences.get();
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  preferences.subscribe(apply);
  apply();
}
