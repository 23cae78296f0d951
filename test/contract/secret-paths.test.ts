import { expect, test } from 'vitest';
import { secretAt } from '../../src/contract/secret-paths.ts';

const SECRET = [
  '/home/ann/.ssh/id_ed25519',
  '/home/ann/.ssh',
  '/home/ann/.SSH/config',
  '/Users/ann/Library/Keychains/login.keychain-db',
  '/Users/ann/library/KEYCHAINS',
  '/home/ann/work/.env',
  '/home/ann/work/.env.production',
  '/home/ann/work/server.pem',
  '/home/ann/.config/google-chrome/Default/Login Data',
  '/home/ann/.mozilla/firefox/x.default/logins.json',
  '/home/ann/.bash_history',
  '/home/ann/.zsh_history',
  '/home/ann/.local/share/fish/fish_history',
  '/home/ann/.aws/credentials',
  '/home/ann/.git-credentials',
  '/etc/shadow',
  '/etc/sudoers.d/ann',
  '/etc/NetworkManager/system-connections/home.nmconnection',
  '/Users/ann/Library/Application Support/handrail/daemon/handrail.db',
  '/home/ann/.local/share/handrail/journal.key',
  // The letters of the name are full-width, and one has an invisible character behind it.
  '/Users/ann/.ｓｓｈ/config',
  '/Users/ann/.s\u200Bsh/config',
];

const PLAIN = [
  '/home/ann/notes.txt',
  '/home/ann/.ssh-notes/readme.md',
  '/home/ann/work/keynote.key.txt',
  '/home/ann/work/environment.ts',
  '/home/ann/work/.env.example',
  '/home/ann/keys/server.pub',
  '/home/ann/history',
  '/home/ann/work/docker/compose.yml',
];

test.each(SECRET)('%s is secret', (path) => {
  expect(secretAt(path)).toMatch(/\w/u);
});

test.each(PLAIN)('%s is not secret', (path) => {
  expect(secretAt(path)).toBeUndefined();
});
