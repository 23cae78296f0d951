import { existsSync, readFileSync, statSync } from 'node:fs';
import { checkRun, type OwnJournal, type RunCheck } from '../run-file/check-run.ts';
import { dataDirectoryAt } from '../store/database/data-directory.ts';
import { readKey } from '../store/journal/anchor.ts';
import { readHashes } from '../store/journal/audit.ts';
import type { JournalCheck } from './journal-check.ts';

/** A saved run holds at most 48 MB of pictures, which base64 makes a third longer, and their record. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Checks the file of a saved run, with the journal of this computer where there is one. No daemon is needed. */
export function checkRunFile(dataDirectory: string, file: string): JournalCheck {
  try {
    const facts = statSync(file);
    if (facts.isDirectory())
      return { isGood: false, line: `${file} is a folder. Give the HTML file of a run that was saved.` };
    if (facts.size > MOST_BYTES) return { isGood: false, line: `${file} is too large to be a saved run.` };
    const own = openOwnJournal(dataDirectory);
    try {
      return told(file, checkRun(readFileSync(file, 'utf8'), own));
    } finally {
      own.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { isGood: false, line: `${file} cannot be checked (${why}).` };
  }
}

function told(file: string, check: RunCheck): JournalCheck {
  if ('fault' in check) return { isGood: false, line: `${file} is not as Handrail wrote it: ${check.fault}.` };
  const { record, isOwn, compared } = check;
  const { actions, journal, pictures } = record;
  const found = `${counted(actions.length, 'action')}, ${counted(pictures.length, 'picture')} and ${counted(journal.length, 'row')} of the journal agree in ${file}.`;
  if (isOwn)
    return {
      isGood: true,
      line: `${found} Its seal was made with the key of this computer's journal, which has ${compared} of the rows.`,
    };
  return {
    isGood: true,
    line: `${found} Its seal was not made with the key of the journal on this computer, so who wrote it is not proven: check it where it was saved.`,
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The journal of a data directory as far as there is one. A run can be checked without it. */
function openOwnJournal(dataDirectory: string): OwnJournal & { close(): void } {
  const { database, key } = dataDirectoryAt(dataDirectory);
  const hashes = existsSync(database) ? readHashes(database) : undefined;
  return {
    key: readKey(key),
    hashOf: (seq) => hashes?.hashOf(seq),
    close: () => hashes?.close(),
  };
}
