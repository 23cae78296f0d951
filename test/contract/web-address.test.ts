import { expect, test } from 'vitest';
import { webAddress } from '../../src/contract/web-address.ts';

test.each([
  ['https://example.org', 'https://example.org/', 'https://example.org/'],
  ['HTTP://Example.org/a?b#c', 'http://example.org/a?b#c', 'http://example.org/a?b#c'],
  ['https://bücher.de/x', 'https://xn--bcher-kva.de/x', 'https://bücher.de/x'],
  ['https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/', 'https://пример.рф/'],
  ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'https://xn--80ak6aa92e.com/'],
  ['https://аpple.com/', 'https://xn--pple-43d.com/', 'https://xn--pple-43d.com/'],
  ['https://xn--bcher-kva.de/', 'https://xn--bcher-kva.de/', 'https://xn--bcher-kva.de/'],
  ['https://ｅxample.org/', 'https://example.org/', 'https://example.org/'],
  ['https://0x7f.1/', 'https://127.0.0.1/', 'https://127.0.0.1/'],
  ['https://[::1]:8443/', 'https://[::1]:8443/', 'https://[::1]:8443/'],
  ['https://bücher.de:8443/', 'https://xn--bcher-kva.de:8443/', 'https://bücher.de:8443/'],
  ['mailto:ann@example.org?subject=Hi', 'mailto:ann@example.org?subject=Hi', 'mailto:ann@example.org?subject=Hi'],
])('%s is opened as %s and shown as %s', (text, url, shown) => {
  expect(webAddress(text)).toMatchObject({ url, shown });
});

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.org',
  'example.org',
  'https:example.org',
  'https://',
  'https://a b.org',
  'https://good.org\\@evil.org/',
  'https://good.org@evil.org/',
  'https://user:secret@example.org/',
  'https://exam\u200bple.org/',
  'https://example.org/\u202etxt.exe',
  ' https://example.org',
  'https://example.org\n',
  'vscode://x',
  '--help',
  '',
  `https://example.org/${'a'.repeat(2_000)}`,
])('%j is refused', (text) => {
  expect(webAddress(text)).toEqual({ fault: expect.stringMatching(/^Expected /u) });
});
