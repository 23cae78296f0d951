import type { ConsoleSettings, DaemonFacts } from '../../contract/settings.ts';
import { UNDO_WORDS } from '../../contract/times.ts';
import type { Context } from '../context.ts';
import { CONTENTS_QUOTA } from '../records/contents-quota.ts';

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

/** How long things are kept, as the person is told. The limits themselves stand beside the code that enforces them. */
export const RETENTION: DaemonFacts['retention'] = [
  { contents: 'Screenshots', kept: `24 hours, ${atMost(CONTENTS_QUOTA.artifacts)}` },
  {
    contents: 'Arguments and results of actions',
    kept: `24 hours after the action ended, ${atMost(CONTENTS_QUOTA.results)}`,
  },
  {
    contents: 'Former versions of overwritten files',
    kept: `${UNDO_WORDS.keptFor}, at most ${UNDO_WORDS.quota} in all`,
  },
  { contents: 'Actions, tasks and the journal', kept: '90 days, at most 10 million actions' },
  {
    contents: 'Counts for Guardian',
    kept: 'by the minute for 35 days, by the hour for a year, by the day for five years',
  },
];

function atMost({ perUser, inAll }: { perUser: number; inAll: number }): string {
  return `at most ${mib(perUser)} for each requester and ${mib(inAll)} in all`;
}

function mib(bytes: number): string {
  return `${bytes / 1024 ** 2} MiB`;
}
