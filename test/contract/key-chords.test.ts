import { expect, test } from 'vitest';
import { chordDanger, type KeyChord, NAMED_KEYS, parseChord } from '../../src/contract/key-chords.ts';

test.each([
  ['cmd+shift+s', { modifiers: ['cmd', 'shift'], key: 's' }],
  ['Shift + CMD + S', { modifiers: ['cmd', 'shift'], key: 's' }],
  ['enter', { modifiers: [], key: 'enter' }],
  ['Return', { modifiers: [], key: 'enter' }],
  ['ctrl+plus', { modifiers: ['ctrl'], key: 'plus' }],
  ['alt+F4', { modifiers: ['alt'], key: 'f4' }],
  ['⌘+⌥+esc', { modifiers: ['cmd', 'alt'], key: 'escape' }],
  ['super+l', { modifiers: ['cmd'], key: 'l' }],
  ['ctrl+é', { modifiers: ['ctrl'], key: 'é' }],
  ['/', { modifiers: [], key: '/' }],
])('%j is read', (text, chord) => {
  expect(parseChord(text)).toEqual(chord);
});

test.each([
  ['', 'Expected the name of a key or one character, got "".'],
  ['ctrl', 'Expected the name of a key or one character, got "ctrl".'],
  ['ctrl+', 'Expected the name of a key or one character, got "".'],
  ['ctrl+ab', 'Expected the name of a key or one character, got "ab".'],
  ['hyper+a', 'Expected one of cmd, ctrl, alt and shift, got "hyper".'],
  ['a+b', 'Expected one of cmd, ctrl, alt and shift, got "a".'],
  ['ctrl+control+a', 'Expected each modifier once, got ctrl twice.'],
  ['\u0007', 'Expected the name of a key or one character, got "\\u0007".'],
  ['\u200b', 'Expected the name of a key or one character, got "\u200b".'],
  ['x'.repeat(65), 'Expected a chord of at most 64 characters, got 65.'],
])('%j is refused', (text, fault) => {
  expect(parseChord(text)).toEqual({ fault });
});

const chord = (text: string) => parseChord(text) as KeyChord;

test.each([
  ['quits', ['cmd+q', 'ctrl+q', 'cmd+alt+esc', 'ctrl+shift+q']],
  ['closes', ['cmd+w', 'ctrl+w', 'alt+f4', 'ctrl+f4', 'ctrl+shift+w']],
  ['deletes', ['cmd+backspace', 'shift+delete', 'cmd+delete']],
  ['locks', ['cmd+ctrl+q', 'cmd+shift+q', 'super+l', 'ctrl+alt+l', 'ctrl+alt+delete', 'ctrl+alt+f1', 'power', 'sleep']],
  ['sends', ['ctrl+enter', 'cmd+return', 'ctrl+shift+enter']],
  ['presses', ['alt+v', 'alt+shift+s', 'ctrl+alt+7']],
  [
    'leaves the app',
    ['alt+space', 'alt+f1', 'alt+f2', 'alt+f3', 'alt+f12', 'ctrl+esc', 'ctrl+shift+esc', 'print', 'alt+print'],
  ],
  ['reads otherwise', ['ctrl+й', 'cmd+ц', 'alt+м', 'ctrl+shift+ｖ']],
  ['pastes', ['ctrl+v', 'cmd+v', 'ctrl+shift+v', 'cmd+alt+shift+v', 'shift+insert']],
  [
    undefined,
    [
      'v',
      'insert',
      'q',
      'shift+q',
      'ctrl+s',
      'cmd+c',
      'enter',
      'delete',
      'ctrl+backspace',
      'f4',
      'ctrl+l',
      'alt+left',
      'alt+f8',
      'alt+tab',
      'ctrl+space',
      'escape',
      'é',
      'shift+é',
    ],
  ],
] as const)('a chord that %s by custom is known', (danger, texts) => {
  expect(texts.map((text) => [text, chordDanger(chord(text))])).toEqual(texts.map((text) => [text, danger]));
});

test('each named key is read under its own name', () => {
  expect(NAMED_KEYS.filter((name) => chord(name).key !== name)).toEqual([]);
});
