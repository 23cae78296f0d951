import { expect, test } from 'vitest';
import { FACT_ROWS } from '../../../src/domain/scripts/commands/commands.ts';
import { DEVELOPMENT_ROWS } from '../../../src/domain/scripts/commands/development.ts';
import type { Row } from '../../../src/domain/scripts/commands/rows.ts';
import { SYSTEM_ROWS } from '../../../src/domain/scripts/commands/system-rows.ts';
import { isFast } from '../processor-time.ts';

const LENGTH = 60_000;

const PIECES = [
  'a',
  ' ',
  ' a',
  ' · ',
  ':',
  ' -1',
  ' -o',
  '-o',
  'ro,',
  ' cp',
  ' cp a',
  's3:',
  ' s3:',
  ',',
  'a+',
  '+s',
  ',a+',
  '-d',
  ' -d',
].concat(
  [
    '-',
    ' --',
    'quarantine',
    '$(',
    'mailto:',
    ' delete',
    ':delete',
    'keys',
    ' keys',
    'hook',
    'ufw',
    ' ufw',
    ' stop',
    'lock',
  ],
  ['put_', ' rm', 'secrets', ' -w', '=', '8', ' 19900101', 'show-password', 'd', ' -vvv', '--volume=', 'x11grab'],
);

/** The beginnings after which the pattern of a row goes on: the name, and the name with each verb. */
function beginnings([, , names, when]: Row): string[] {
  const [name = ''] = names.split(' ');
  const verbs = (when?.source ?? '').match(/[a-z][a-z-]{1,}/gu) ?? [];
  return [name, ...verbs.slice(0, 4).map((verb) => `${name} ${verb} `), `${name} · -`];
}

test('D4: no argument makes the pattern of a row slow', () => {
  const slow: string[] = [];
  for (const row of [...SYSTEM_ROWS, ...FACT_ROWS, ...DEVELOPMENT_ROWS]) {
    const when = row[3];
    if (when === undefined) continue;
    for (const beginning of beginnings(row)) {
      for (const piece of PIECES) {
        const read = (text: string) => when.test(`${beginning}${text}!`);
        if (!isFast({ most: LENGTH, read }, piece)) slow.push(`${when.source}: ${beginning}${piece}`);
      }
    }
  }
  expect(slow).toEqual([]);
});
