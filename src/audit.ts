import { checkJournal } from './journal-check.ts';
import { readSettings } from './settings.ts';

/** `npm run audit`: whether the journal is as it was written. Exit code 0 when it is, 1 when it is not. */
const { isGood, line, result } = checkJournal(readSettings(process.env, process.platform).dataDirectory);
(result === undefined ? process.stderr : process.stdout).write(`${line}\n`);
process.exitCode = isGood ? 0 : 1;
