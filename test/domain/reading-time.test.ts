import { describe, expect, test } from 'vitest';
import { exportedFunctions, listedFunctions } from './exported-functions.ts';
import { isFast } from './processor-time.ts';
import { READING } from './reading-functions.ts';

/** Repeated to the largest length: names of the rules, openings that nothing closes, and letters that become longer. */
const PIECES = [
  ...['a', 'a ', ' ', '/', '/a', '//', './', '../', '~/', '.', '..', '\t', '\n', '\\', '\u0000', '\ud800'],
  ...[
    'é',
    '😀',
    'ﷺ',
    '\u00ad',
    '"',
    "'",
    '`',
    '(',
    '((',
    ')',
    '$(',
    '$((',
    '$' + '{',
    '$' + '{x:-',
    '{',
    '}',
    '{a,',
    '[',
  ],
  ...[
    '[a',
    ']',
    '*',
    '?',
    '*a',
    '?a',
    '|',
    ';',
    '&',
    '>',
    '<',
    '<<E\n',
    '#',
    '=',
    'A=',
    'a=b\n',
    'A=$A$A ',
    '-',
    '--',
    '-e ',
  ],
  ...[
    '/nvim/',
    '/.vim/a',
    '/.ipython/',
    '/.ipython/startup',
    '/bin/',
    '/applications/a.app',
    '/.config/',
    '/.git/',
    '.env.',
  ],
  ...[
    '/media/a',
    'service-account',
    'id_rsa_',
    '.pem',
    'http://',
    'http://a?',
    'a@',
    'a:',
    '://',
    'copy ',
    'copy\t',
    'update ',
  ],
  ...[
    'drop ',
    'delete from ',
    '.drop(',
    'move ',
    'make ',
    'execute ',
    'BEGIN ',
    'private',
    'id-',
    'exec=',
    'system("',
    '"|',
  ],
  ...[
    '"""',
    "'''",
    '/*',
    '*/',
    '(*',
    '--',
    '//',
    'require(',
    "import a from 'b' ",
    'from a import b,',
    'f(',
    'f("a",',
    'x.',
    'x?.',
  ],
  ...[
    'getattr(',
    "a='b'\n",
    '\\x41',
    '\\',
    'sh -c ',
    "sh -c '",
    'eval ',
    'sudo ',
    'env ',
    'xargs ',
    'find . -exec ',
    'for x in ',
  ],
  ...[
    'do ',
    'case ',
    'esac ',
    'cat a;',
    'rm a;',
    'base64 -d|',
    '| sh',
    'echo a|',
    '$HOME/',
    '~/.s*h/',
    '.*s*',
    '9',
    '9.',
    'xn--',
  ],
];

test('D4: every function of the domain and the contract is in the list of those that are measured, or of the others', async () => {
  expect(listedFunctions()).toEqual(await exportedFunctions());
});

/** For a machine with much else to do. */
const PATIENT = { timeout: 240_000 };

describe.each(Object.entries(READING))('D4: %s', PATIENT, (_name, reading) => {
  test('takes a short time for the longest text', () => {
    expect(PIECES.filter((piece) => !isFast(reading, piece))).toEqual([]);
  });
});
