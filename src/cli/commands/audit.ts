import { resolve } from 'node:path';
import type { JournalCheck } from '../../own-daemon/journal-check.ts';
import { type Command, EXIT, textOf } from '../command.ts';
import { settingsOf } from '../running.ts';

export const audit: Command = {
  name: 'audit',
  summary: 'check that the journal is as it was written; exit code 1 when it is not',
  options: [
    { flags: '--file <file>', description: 'check a run that was saved at the dashboard instead; needs no daemon' },
    { flags: '--export <file>', description: 'write all that can be read of the database to a new file instead' },
  ],
  examples: ['handrail audit', 'handrail audit --json', 'handrail audit --file run.html'],
  async run(invocation) {
    const { surroundings, isJson } = invocation;
    const exported = textOf(invocation, 'export');
    const saved = textOf(invocation, 'file');
    // Loaded only here: the database is a large part of the program.
    const { checkJournal, exportDatabase } = await import('../../own-daemon/journal-check.ts');
    const { checkRunFile } = await import('../../own-daemon/run-check.ts');
    const { dataDirectory } = settingsOf(surroundings);
    const { isGood, line, result }: JournalCheck =
      saved !== undefined
        ? checkRunFile(dataDirectory, resolve(surroundings.folder, saved))
        : exported === undefined
          ? checkJournal(dataDirectory)
          : exportDatabase(dataDirectory, resolve(surroundings.folder, exported));
    if (isJson) surroundings.output.write(`${JSON.stringify(result ?? { valid: isGood, reason: line })}\n`);
    else if (!isGood && result === undefined) surroundings.errors.write(`handrail: ${line}\n`);
    else surroundings.output.write(`${line}\n`);
    return isGood ? EXIT.done : EXIT.other;
  },
};
