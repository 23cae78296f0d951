import type { ConsoleSettings } from '../../contract/settings.ts';
import type { Context } from '../context.ts';

const NAME = 'console';
export const DEFAULT_SETTINGS: Required<ConsoleSettings> = {
  promptExpiryMs: 90_000,
  keepsEvidence: true,
  acceptsOtherDaemons: false,
};

export type ConsoleSettingsStore = ReturnType<typeof createConsoleSettings>;

/** The person's settings; a setting that the person never changed has its default. */
export function createConsoleSettings({ store, clock }: Context) {
  let current: Required<ConsoleSettings> = {
    ...DEFAULT_SETTINGS,
    ...(store.settings.get(NAME) as Partial<ConsoleSettings> | undefined),
  };
  return {
    get: (): Required<ConsoleSettings> => current,
    put(changes: ConsoleSettings): ConsoleSettings {
      const next = { ...current, ...changes };
      store.write('durable', () => {
        store.settings.set(NAME, next);
        store.journal.append(clock.nowMs(), { kind: 'settings.changed', metadata: { ...next } });
      });
      current = next;
      return current;
    },
  };
}
