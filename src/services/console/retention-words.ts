import type { DaemonFacts } from '../../contract/daemon-facts.ts';

/** How long things are kept, as the person is told. The limits themselves stand beside the code that enforces them. */
export const RETENTION: DaemonFacts['retention'] = [
  { contents: 'Screenshots', kept: '24 hours, at most 250 MB for each requester and 500 MB in all' },
  { contents: 'Arguments and results of actions', kept: '24 hours after the action ended' },
  { contents: 'Former versions of overwritten files', kept: '24 hours, at most 1 GB and 1,000 files in all' },
  { contents: 'Actions, tasks and the journal', kept: '90 days, at most 10 million actions' },
  {
    contents: 'Counts for Guardian',
    kept: 'by the minute for 35 days, by the hour for a year, by the day for five years',
  },
];
