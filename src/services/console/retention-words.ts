import type { DaemonFacts } from '../../contract/settings.ts';
import { UNDO_WORDS } from '../../contract/times.ts';
import { CONTENTS_QUOTA } from '../records/contents-quota.ts';

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
