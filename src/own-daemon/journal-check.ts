import { existsSync } from 'node:fs';
import type { AuditResult } from '../contract/settings.ts';
import { dataDirectoryAt } from '../store/database/data-directory.ts';
import { OlderDatabase } from '../store/database/migrate.ts';
import { exportReadable } from '../store/export.ts';
import { auditJournal } from '../store/journal/audit.ts';

/** `line` is a sentence for the person. `result` is absent where there is no journal, or none that can be read. */
export type JournalCheck = { isGood: boolean; line: string; result?: AuditResult };

const WAY_OUT =
  'The database is empty, damaged or of another program. `handrail audit --export FILE` (`npm run audit -- --export FILE`) writes what can be read of it to a file.';

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
    if (error instanceof OlderDatabase) return { isGood: false, line: `The journal was not checked. ${error.message}` };
    const why = error instanceof Error ? error.message : String(error);
    const line = `The journal in ${path} cannot be read (${why}). ${WAY_OUT}`;
    return { isGood: false, line };
  }
}

/** Writes all that can be read of the database to a new file. It holds texts that were typed or read. */
export function exportDatabase(dataDirectory: string, file: string): JournalCheck {
  const { path, database } = dataDirectoryAt(dataDirectory);
  if (!existsSync(database)) return checkJournal(dataDirectory);
  try {
    const exported = exportReadable(database, file);
    if (exported === undefined) return { isGood: false, line: `Nothing of the database in ${path} can be read.` };
    const { rows, damaged } = exported;
    const loss = damaged.length === 0 ? 'all of them' : `some rows of ${damaged.join(', ')} cannot be read`;
    const line = `${rows} rows are in ${file}: ${loss}. It holds texts that were typed or read; keep it private.`;
    return { isGood: true, line };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { isGood: false, line: `The database in ${path} could not be exported (${why}).` };
  }
}
