import { expect, test } from 'vitest';
import { addressParts } from '../../renderer/src/prompt/Sentence.tsx';

/** The text with each host in brackets, and the rest of its address in braces. */
function marked(text: string): string {
  const parts = addressParts(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  const signs = { text: ['', ''], rest: ['{', '}'], host: ['[', ']'] } as const;
  return parts.map(({ kind, text: part }) => signs[kind].join(part)).join('');
}

test.each([
  ['Open “https://example.org/a-b?c=1#d” with “Firefox”', 'Open “{https://}[example.org]{/a-b?c=1#d}” with “Firefox”'],
  ['Open “http://127.0.0.1:8765/”', 'Open “{http://}[127.0.0.1:8765]{/}”'],
  ['Open “https://[::1]:80/x”', 'Open “{https://}[[::1]:80]{/x}”'],
  ['Open “https://example.org”', 'Open “{https://}[example.org]”'],
  ['Open “https://xn--80ak6aa92e.com/”', 'Open “{https://}[xn--80ak6aa92e.com]{/}”'],
  [
    'Open “https://bank.example.evil.org/https://bank.example/”',
    'Open “{https://}[bank.example.evil.org]{/https://bank.example/}”',
  ],
  [
    'the link “Go” of “Firefox”, page “https://a.org/x”, page “http://b.org”, place unknown',
    'the link “Go” of “Firefox”, page “{https://}[a.org]{/x}”, page “{http://}[b.org]”, place unknown',
  ],
])('the host of an address is a part of its own: %s', (text, expected) => {
  expect(marked(text)).toBe(expected);
});

test.each([
  'Move ~/work/a.txt to ~/work/b.txt',
  'Open “mailto:ann@example.org”',
  // The host is evil.org.
  'Open “https://bank.example@evil.org/”',
  'Open “https://bank.example:1@evil.org/https://bank.example/”',
  // The host is bank.example, and somebody may read evil.org.
  'Open “https://bank.example\\@evil.org/”',
  // The words of a page.
  'Click on the link “https://bank.example/” on evil.org',
  'Click on the link “Open https://bank.example/, page https://bank.example/” on evil.org',
  '',
])('a text that names no address with a plain host is one part: %s', (text) => {
  expect(addressParts(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
});
