import { expect, test } from 'vitest';
import { secretInText } from '../../src/domain/secret-text.ts';
import { isFast } from './processor-time.ts';

test.each([
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb', 'a private key'],
  [`export AWS=AKIA${'A1'.repeat(8)}`, 'a key of a service'],
  [`ghp_${'a1'.repeat(18)}`, 'a key of a service'],
  [`here: sk-${'ab1_'.repeat(8)}`, 'a key of a service'],
  ['Password: hunter2', 'a password or key'],
  ['my password is hunter2', 'a password or key'],
  ['http://localhost:5002/?auth_token=admin123', 'a password or key'],
  ['{"api_key": "x9f3"}', 'a password or key'],
  ['密码：abc123', 'a password or key'],
  ['- Mail: Passwort2024', 'a password'],
  ['p​assword = hunter​2', 'a password or key'],
  ['ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２', 'a password or key'],
])('%s holds a secret', (text, kind) => {
  expect(secretInText(text)).toBe(kind);
});

test.each([
  'Dear Ann, the meeting is at 10:30 on 3 May.',
  'How do I reset my password?',
  'The password is in the safe.',
  'A boarding pass for 2 people',
  'passage 12, compass 90, bypass 2',
  'const token = await readToken();',
  'The secret of good tea',
  'skiing 2026, ask-me-anything-about-typescript',
  '2026-11-25 13:45, +49 30 901820, 1,234.56 €',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ',
])('%s holds none', (text) => {
  expect(secretInText(text)).toBeUndefined();
});

test.each(['eyJ', 'password', 'token: ', 'pass', '-----BEGIN ', 'sk-a', 'A'])(
  'the time for 1 MB of %j is short',
  (piece) => {
    expect(isFast({ most: 1_000_000, read: secretInText }, piece)).toBe(true);
  },
);
