import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { settingsOf } from '../running.ts';

export const audit: Command = {
  name: 'audit',
  summary: 'check that the journal is as it was written; exit code 1 when it is not',
  examples: ['handrail audit', 'handrail audit --json'],
  async run({ surroundings, isJson }) {
    // Loaded only here: the database is a large part of the program.
    const { checkJournal } = await import('../../journal-check.ts');
    const { isGood, line, result } = checkJournal(settingsOf(surroundings).dataDirectory);
    if (isJson) surroundings.output.write(`${JSON.stringify(result ?? { valid: false, reason: line })}\n`);
    else if (result === undefined) surroundings.errors.write(`handrail: ${line}\n`);
    else surroundings.output.write(`${line}\n`);
    return isGood ? EXIT.done : EXIT.other;
  },
};
