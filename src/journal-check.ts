import { existsSync } from 'node:fs';
import type { AuditResult } from './contract/daemon-facts.ts';
import { dataDirectoryAt } from './store/database/data-directory.ts';
import { auditJournal } from './store/journal/audit.ts';

/** `line` is a sentence for the person. `result` is absent where there is no journal, or none that can be read. */
export type JournalCheck = { isGood: boolean; line: string; result?: AuditResult };

/** Verifies the journal of a data directory, also while a daemon uses it. */
export function checkJournal(dataDirectory: string): JournalCheck {
  const directory = dataDirectoryAt(dataDirectory);
  const { path } = directory;
  if (!existsSync(directory.database)) {
    const line = `There is no journal in ${path}. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.`;
    return { isGood: false, line };
  }
  try {
    const result = auditJournal(directory);
    const { valid, rows, brokenAt, reason } = result;
    const line = valid
      ? `The journal is as it was written: ${rows} rows verified in ${path}.`
      : `The journal was tampered with: at row ${brokenAt} ${reason} (${rows} rows before it are good), in ${path}.`;
    return { isGood: valid, line, result };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const line = `The journal in ${path} cannot be read (${why}). The database is empty, damaged or of another program.`;
    return { isGood: false, line };
  }
}
