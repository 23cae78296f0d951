import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputParts, quotedText, visibleParts } from '../../renderer/src/visible-text.ts';
import { quoted } from '../../src/domain/catalogue/window-words.ts';
import { html } from '../../src/run-file/run-page.ts';
import { visible } from '../../src/services/prompt-words.ts';

test('plain text, markup and other scripts stay as they are', () => {
  for (const text of ['{"appName":"Notes"}', '<img src=x onerror=alert(1)>', 'שלום, κόσμε, 世界 🙂', 'a\nb']) {
    expect(visibleParts(text)).toEqual([{ kind: 'text', text }]);
  }
});

test('what the daemon wrote as an escape is told apart', () => {
  expect(visibleParts('a\\u{202e}\\u{200b}b')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'escape', text: '\\u{202e}\\u{200b}' },
    { kind: 'text', text: 'b' },
  ]);
});

test('a backslash of the text itself, doubled as JSON has it, starts no escape', () => {
  expect(visibleParts('"\\\\u{202e}"')).toEqual([{ kind: 'text', text: '"\\\\u{202e}"' }]);
});

test.each([
  ['a right-to-left override', '\u202e', '\\u{202e}'],
  ['an isolate', '\u2066', '\\u{2066}'],
  ['a zero-width space', '\u200b', '\\u{200b}'],
  ['a zero-width joiner', '\u200d', '\\u{200d}'],
  ['a soft hyphen', '\u00ad', '\\u{ad}'],
  ['an escape character', '\u001b', '\\u{1b}'],
  ['a carriage return', '\r', '\\u{d}'],
  ['a line separator', '\u2028', '\\u{2028}'],
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['a grapheme joiner', '\u034f', '\\u{34f}'],
  ['a variation selector', '\u{e0100}', '\\u{e0100}'],
  ['a blank Braille pattern', '\u2800', '\\u{2800}'],
  ['a tag character', '\u{e0041}', '\\u{e0041}'],
  ['a private character', '\ue000', '\\u{e000}'],
  ['half of a pair', '\ud800', '\\u{d800}'],
])('%s that came through is written out', (_what, character, written) => {
  expect(visibleParts(`a${character}b`)).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'escape', text: written },
    { kind: 'text', text: 'b' },
  ]);
});

test('no character is lost, and none is left that shows nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const shown = visibleParts(text)
        .map((part) => part.text)
        .join('');
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(shown.length).toBeGreaterThanOrEqual(text.length);
    }),
  );
});

test('A5: marks that pile up on one letter to cover other lines are written out from the fifth on', () => {
  const pile = `a${'\u0301'.repeat(6)}b`;
  const parts = [
    { kind: 'text', text: `a${'\u0301'.repeat(4)}` },
    { kind: 'escape', text: '\\u{301}\\u{301}' },
    { kind: 'text', text: 'b' },
  ];
  expect(visibleParts(pile)).toEqual(parts);
  expect(outputParts(pile)).toEqual(parts);
  expect(visible(pile)).toBe(parts.map(({ text }) => text).join(''));
  expect(html(pile)).toBe(visible(pile));
});

test.each([...'“”„‟″❝❞＂«»〞'])('N29: %s in a text that stands in quotes is spelled out', (mark) => {
  const spelled = `\\u{${mark.codePointAt(0)?.toString(16)}}`;
  expect(quotedText(`OK${mark} of “Notes`)).toContain(`OK${spelled} of \\u{201c}Notes`);
  expect(quoted(`OK${mark}`)).toBe(`“OK${spelled}”`);
});
