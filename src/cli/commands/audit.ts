import { resolve } from 'node:path';
import { type Command, textOf } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { settingsOf } from '../running.ts';

export const audit: Command = {
  name: 'audit',
  summary: 'check that the journal is as it was written; exit code 1 when it is not',
  options: [
    { flags: '--export <file>', description: 'write all that can be read of the database to a new file instead' },
  ],
  examples: ['handrail audit', 'handrail audit --json'],
  async run(invocation) {
    const { surroundings, isJson } = invocation;
    const file = textOf(invocation, 'export');
    // Loaded only here: the database is a large part of the program.
    const { checkJournal, exportDatabase } = await import('../../own-daemon/journal-check.ts');
    const { dataDirectory } = settingsOf(surroundings);
    const { isGood, line, result } =
      file === undefined
        ? checkJournal(dataDirectory)
        : exportDatabase(dataDirectory, resolve(surroundings.folder, file));
    if (isJson) surroundings.output.write(`${JSON.stringify(result ?? { valid: isGood, reason: line })}\n`);
    else if (!isGood && result === undefined) surroundings.errors.write(`handrail: ${line}\n`);
    else surroundings.output.write(`${line}\n`);
    return isGood ? EXIT.done : EXIT.other;
  },
};
