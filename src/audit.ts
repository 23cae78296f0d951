import { existsSync } from 'node:fs';
import { readSettings } from './settings.ts';
import { dataDirectoryAt } from './store/database/data-directory.ts';
import { auditJournal } from './store/journal/audit.ts';

/** `npm run audit`: whether the journal is as it was written. Exit code 0 when it is, 1 when it is not. */
const directory = dataDirectoryAt(readSettings(process.env, process.platform).dataDirectory);
if (existsSync(directory.database)) {
  const { valid, rows, brokenAt, reason } = auditJournal(directory);
  const line = valid
    ? `The journal is as it was written: ${rows} rows verified in ${directory.path}.`
    : `The journal was tampered with: at row ${brokenAt} ${reason} (${rows} rows before it are good), in ${directory.path}.`;
  process.stdout.write(`${line}\n`);
  process.exitCode = valid ? 0 : 1;
} else {
  process.stderr.write(
    `There is no journal in ${directory.path}. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.\n`,
  );
  process.exitCode = 1;
}
