import { checkJournal, exportDatabase, type JournalCheck } from './journal-check.ts';
import { checkRunFile } from './run-check.ts';
import { readSettings } from './settings.ts';

/**
 * `npm run audit`: whether the journal is as it was written. Exit code 0 when it is, 1 when it is not. `npm run audit -- --export FILE`
 * writes everything that can be read of the database to a new file, `npm run audit -- --file FILE` checks a saved run.
 */
const USAGE =
  'Use `npm run audit`, `npm run audit -- --file FILE` with a run that was saved, or `npm run audit -- --export FILE` with the name of a file that does not exist.';
const VERBS: Readonly<Record<string, (dataDirectory: string, file: string) => JournalCheck>> = {
  '--export': exportDatabase,
  '--file': checkRunFile,
};
const { isGood, isOutput, line } = answer(process.argv.slice(2));
(isOutput ? process.stdout : process.stderr).write(`${line}\n`);
process.exitCode = isGood ? 0 : 1;

function answer([option, file, ...rest]: string[]): JournalCheck & { isOutput: boolean } {
  const { dataDirectory } = readSettings(process.env, process.platform);
  if (option === undefined) {
    const checked = checkJournal(dataDirectory);
    return { ...checked, isOutput: checked.result !== undefined };
  }
  const verb = Object.hasOwn(VERBS, option) ? VERBS[option] : undefined;
  if (verb === undefined || file === undefined || rest.length > 0)
    return { isGood: false, isOutput: false, line: USAGE };
  const done = verb(dataDirectory, file);
  return { ...done, isOutput: done.isGood };
}
