import { expect, test } from 'vitest';
import { isPlainAddress } from '../../src/domain/catalogue/hands/open-url.ts';

const ofLength = (length: number) => 'https://example.org/'.padEnd(length, 'a');

test.each([
  'https://example.org',
  'http://www.example.org/news/today?page=2#top',
  'https://docs.example.org:443/document/d/1aBcD/edit',
  'https://example.org/Caf%C3%A9',
  'https://example.org/search?q=red+shoes&author=ann',
  ofLength(200),
])('%s is plain', (address) => {
  expect(isPlainAddress(address)).toBe(true);
});

test.each([
  ['a mail address', 'mailto:ann@example.org'],
  ['another scheme', 'file:///etc/passwd'],
  ['a name and a password', 'https://ann:secret@example.org/'],
  ['a backslash', 'https://example.org\\@evil.example/'],
  ['more than 200 characters', ofLength(201)],
  ['4 kB of data', ofLength(4_000)],
  ['a word that deletes', 'https://example.org/account/delete'],
  ['a word that pays, in the query', 'https://bank.example.org/?action=transfer&amount=100'],
  ['a word that sends, in the fragment', 'https://example.org/#/message/send'],
  ['a word with capitals', 'https://example.org/deleteAccount'],
  ['a word that is encoded', 'https://example.org/%64elete'],
  ['a word that is encoded twice', 'https://example.org/%2564elete'],
  ['an encoding that is broken', 'https://example.org/%E3%81'],
  ['a secret by its name alone', 'https://example.org/?auth_token=letmein'],
  ['a secret in the fragment', 'https://example.org/#access_token=abc'],
  ['words in a script that is not read', 'https://example.org/удалить'],
])('N18: %s is not plain', (_what, address) => {
  expect(isPlainAddress(address)).toBe(false);
});
