import { describe, expect, test } from 'vitest';
import { refuseAppName } from '../../agent/drivers/apps/app-name.ts';
import { nearNames } from '../../src/contract/near-names.ts';

const REFUSED: readonly [what: string, ...names: string[]][] = [
  ['is empty', '', '   '],
  [
    'holds characters that are not shown',
    'Safari\nid',
    'a\u0000b',
    'Saf\u202eira',
    'Saf\u200bari',
    'a\u2028b',
    'a\u00adb',
    'a\u3164b',
    'Termi\u034fnal',
    'a\ufe0fb',
    'a\u2800b',
    'a\ud800b',
  ],
  ['begins with "-" like an option', '-a', '--args', ' -b', '\u2013a'],
  ['is a path', '/usr/bin/id', 'bin/id', 'C:\\x', '..', 'a..b', '~root'],
  ['is a URL', 'https:example.org', 'javascript:alert(1)', 'FILE:x'],
  [
    'holds script syntax',
    'Safari; id',
    '$(id)',
    '`id`',
    'a|b',
    'a > b',
    'a && b',
    '" & (do shell script "id") & "',
    "' do shell script 'id'",
    '&',
    '*',
  ],
  [
    'mixes alphabets or uses look-alike letters',
    'S\u0430fari',
    '\u0410\u0440\u0440 Store',
    'Sаfаri',
    '\uff33afari',
    '\ud835\udc12afari',
    '\u03bfpera',
  ],
];

const ACCEPTED = [
  'Mousepad',
  'gnome-calculator',
  'org.gnome.Calculator.desktop',
  'com.apple.TextEdit',
  'Notepad++',
  'Visual Studio Code (Insiders)',
  '1Password 7',
  'Dungeons & Dragons',
  "O'Reilly Reader",
  'Bücher',
  'B\u0075\u0308cher',
  '微信',
  'LINEミュージック',
  'Яндекс',
  'Hello! #1 100%',
];

describe('the check of an app name', () => {
  test.each(REFUSED.flatMap(([what, ...names]) => names.map((name) => [name, what] as const)))(
    'refuses %j: it %s',
    (name, what) => {
      expect(refuseAppName(name)).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
      expect(refuseAppName(name)?.message).toContain(what);
    },
  );

  test.each(ACCEPTED)('lets %j be looked up', (name) => {
    expect(refuseAppName(name)).toBeNull();
  });

  test('a refusal repeats the name so that nothing in it can act', () => {
    expect(refuseAppName('a\u202e\n"b')?.message).toBe(
      'Expected the name of an app, got "a\\u{202e}\\n\\"b", which holds characters that are not shown.',
    );
  });
});

describe('near names', () => {
  const installed = ['Mousepad', 'Mousepad Settings', 'Calculator', 'XTerm', 'UXTerm', 'Chromium', 'Mousepad'];

  test.each([
    ['mousepd', ['Mousepad']],
    ['Mosuepad', ['Mousepad']],
    ['mousepad', ['Mousepad', 'Mousepad Settings']],
    ['calc', ['Calculator']],
    ['xterm', ['XTerm', 'UXTerm']],
    ['Photoshop', []],
  ])('of %s are %j', (wanted, near) => {
    expect(nearNames(wanted, installed)).toEqual(near);
  });

  test('are at most five', () => {
    expect(nearNames('editor', ['editor1', 'editor2', 'editor3', 'editor4', 'editor5', 'editor6'])).toHaveLength(5);
  });
});
