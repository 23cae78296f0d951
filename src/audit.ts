import { existsSync } from 'node:fs';
import { readSettings } from './settings.ts';
import { type DataDirectory, dataDirectoryAt } from './store/database/data-directory.ts';
import { auditJournal } from './store/journal/audit.ts';

/** `npm run audit`: whether the journal is as it was written. Exit code 0 when it is, 1 when it is not. */
const directory = dataDirectoryAt(readSettings(process.env, process.platform).dataDirectory);
process.exitCode = 1;
if (existsSync(directory.database)) {
  try {
    audit(directory);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `The journal in ${directory.path} cannot be read (${why}). The database is empty, damaged or of another program.\n`,
    );
  }
} else {
  process.stderr.write(
    `There is no journal in ${directory.path}. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.\n`,
  );
}

function audit(where: DataDirectory): void {
  const { valid, rows, brokenAt, reason } = auditJournal(where);
  const line = valid
    ? `The journal is as it was written: ${rows} rows verified in ${where.path}.`
    : `The journal was tampered with: at row ${brokenAt} ${reason} (${rows} rows before it are good), in ${where.path}.`;
  process.stdout.write(`${line}\n`);
  process.exitCode = valid ? 0 : 1;
}
