import { describe, expect, test } from 'vitest';
import { exportedFunctions, listedFunctions } from './exported-functions.ts';
import { READING, type Reading } from './reading-functions.ts';

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

/** Of the times of a text and of its half. A quadratic time has 4. */
const MOST_RATIO = 3.2;
/** Of the time of `loop`: about 50 ms on a fast machine with nothing else to do, and twice that for its noise. */
const MOST_SHARE = 4;
const TRIES = 40;
/** Of the loop at the start: what takes less is too short to be measured. */
const SHORT_MS = 0.2 * Math.min(...[1, 2, 3].map(() => spentMs(loop)));

test('D4: every function of the domain and the contract is in the list of those that are measured, or of the others', async () => {
  expect(listedFunctions()).toEqual(await exportedFunctions());
});

/** For a machine with much else to do. */
const PATIENT = { timeout: 240_000 };

describe.each(Object.entries(READING))('D4: %s', PATIENT, (_name, reading) => {
  test('takes a time that grows with the length of the text, and is short for the longest', () => {
    for (const piece of PIECES) expectLinear(reading, piece);
  });
});

/**
 * Twice the text takes about twice the time, unless the time is too short to measure. The whole text, its half and the loop are measured one
 * after the other in each try, and the least of each counts, so that a machine which becomes slower or is busy changes nothing.
 */
function expectLinear({ most, read }: Reading, piece: string): void {
  const whole = filled(piece, most);
  const half = filled(piece, Math.floor(most / 2));
  const least = { whole: Number.POSITIVE_INFINITY, half: Number.POSITIVE_INFINITY, loop: Number.POSITIVE_INFINITY };
  let [ratio, share] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 1; tries <= TRIES && !isFast(ratio, share); tries += 1) {
    least.whole = Math.min(
      least.whole,
      spentMs(() => read(whole)),
    );
    if (least.whole <= SHORT_MS) return;
    least.loop = Math.min(least.loop, spentMs(loop));
    share = least.whole / least.loop;
    least.half = Math.min(
      least.half,
      spentMs(() => read(half)),
    );
    ratio = least.whole / Math.max(least.half, 0.1);
  }
  expect({ piece, ratio, share, isFast: isFast(ratio, share) }).toMatchObject({ isFast: true });
}

function isFast(ratio: number, share: number): boolean {
  return ratio <= MOST_RATIO && share <= MOST_SHARE;
}

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** The time of this process for some work, in milliseconds. */
function spentMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Takes about 25 ms on a machine on which no reading takes more than 50 ms. */
function loop(): number {
  let sum = 0;
  for (let turn = 0; turn < 7_000_000; turn += 1) sum = (sum + turn) % 7;
  return sum;
}
