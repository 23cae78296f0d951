import { existsSync } from 'node:fs';
import { readSettings } from './settings.ts';
import { dataDirectoryAt } from './store/database/data-directory.ts';
import { exportReadable } from './store/export.ts';
import { auditJournal } from './store/journal/audit.ts';

/**
 * `npm run audit`: whether the journal is as it was written. Exit code 0 when it is, 1 when it is not. `npm run audit -- --export FILE`
 * writes everything that can be read of the database to a new file.
 */
const directory = dataDirectoryAt(readSettings(process.env, process.platform).dataDirectory);
const WAY_OUT =
  'The database is empty, damaged or of another program. `npm run audit -- --export FILE` writes what can be read of it to a file.';
const [option, file, ...rest] = process.argv.slice(2);
process.exitCode = 1;
if (option !== undefined && (option !== '--export' || file === undefined || rest.length > 0)) {
  process.stderr.write(
    'Use `npm run audit`, or `npm run audit -- --export FILE` with the name of a file that does not exist.\n',
  );
} else if (!existsSync(directory.database)) {
  process.stderr.write(
    `There is no journal in ${directory.path}. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.\n`,
  );
} else if (file === undefined) {
  orSay(audit, (why) => `The journal in ${directory.path} cannot be read (${why}). ${WAY_OUT}`);
} else {
  orSay(
    () => exportTo(file),
    (why) => `The database in ${directory.path} could not be exported (${why}).`,
  );
}

function orSay(work: () => void, words: (why: string) => string): void {
  try {
    work();
  } catch (error) {
    process.stderr.write(`${words(error instanceof Error ? error.message : String(error))}\n`);
  }
}

function audit(): void {
  const { valid, rows, brokenAt, reason } = auditJournal(directory);
  const line = valid
    ? `The journal is as it was written: ${rows} rows verified in ${directory.path}.`
    : `The journal was tampered with: at row ${brokenAt} ${reason} (${rows} rows before it are good), in ${directory.path}.`;
  process.stdout.write(`${line}\n`);
  process.exitCode = valid ? 0 : 1;
}

function exportTo(path: string): void {
  const exported = exportReadable(directory.database, path);
  if (exported === undefined) {
    process.stderr.write(`Nothing of the database in ${directory.path} can be read.\n`);
    return;
  }
  const { rows, damaged } = exported;
  const loss = damaged.length === 0 ? 'all of them' : `some rows of ${damaged.join(', ')} cannot be read`;
  process.stdout.write(
    `${rows} rows are in ${path}: ${loss}. It holds texts that were typed or read; keep it private.\n`,
  );
  process.exitCode = 0;
}
