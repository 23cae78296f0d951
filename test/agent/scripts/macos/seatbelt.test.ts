import { expect, test } from 'vitest';
import { type MacSandbox, seatbeltArguments, seatbeltProfile } from '../../../../agent/scripts/macos/seatbelt.ts';

const identity = { device: '1', inode: '2' };
const scratch = { folder: '/private/var/s', home: '/private/var/s/home' };
const least: MacSandbox = { writable: [], hidden: [], readOnly: [], scratch };

const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* process-exec (subpath "/bin") (subpath "/usr") (subpath "/System") (subpath "/Library/Developer/CommandLineTools") (subpath "/opt/homebrew"))
(allow file-read* (literal "/") (subpath "/private/etc/ssl") (subpath "/private/var/db/dyld") (subpath "/private/var/select"))
(allow file-read-metadata (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private") (literal "/private/var"))
(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))
(allow file-read* process-exec (subpath (param "PATH_0")))
(allow file-write* (subpath (param "PATH_1")))
`;

test('a script without a folder reads the system and its own file, writes its empty home, and has no network', () => {
  expect(seatbeltProfile(least)).toEqual({
    profile: BASE,
    parameters: { PATH_0: '/private/var/s', PATH_1: '/private/var/s/home' },
  });
});

test('a folder is opened but for what is hidden in it, and nothing in it can be moved out of its rules', () => {
  const { profile, parameters } = seatbeltProfile({
    ...least,
    writable: [
      { path: '/Users/ann/work', kind: 'folder', identity },
      { path: '/Users/ann/out.txt', kind: 'file', identity },
    ],
    readOnly: ['/Users/ann/work/.git/hooks'],
    hidden: [
      { path: '/Users/ann/work/a/b/.ssh', kind: 'folder' },
      { path: '/Users/ann/work/a/.env', kind: 'file' },
    ],
    node: '/opt/node',
    proxyPort: 50_123,
  });
  expect(profile).toBe(`${BASE}(allow file-read* process-exec (literal (param "PATH_2")))
(allow file* process-exec (subpath (param "PATH_3")))
(allow file* process-exec (literal (param "PATH_4")))
(deny file-write* file-link (subpath (param "PATH_5")))
(deny file* (subpath (param "PATH_6")))
(deny file* (literal (param "PATH_7")))
(deny file-write-unlink (literal (param "PATH_3")))
(deny file-write-unlink (literal (param "PATH_8")))
(deny file-write-unlink (literal (param "PATH_9")))
(deny file-write-unlink (literal (param "PATH_10")))
(allow network-outbound (remote tcp "localhost:50123"))
`);
  expect(Object.values(parameters)).toEqual([
    ...['/private/var/s', '/private/var/s/home', '/opt/node', '/Users/ann/work', '/Users/ann/out.txt'],
    ...['/Users/ann/work/.git/hooks', '/Users/ann/work/a/b/.ssh', '/Users/ann/work/a/.env'],
    ...['/Users/ann/work/a', '/Users/ann/work/a/b', '/Users/ann/work/.git'],
  ]);
});

test.each([
  '/Users/ann/") (allow default) ("',
  "/Users/ann/it's (here)",
  '/Users/ann/line\n(allow network*)',
  '/Users/ann/back\\slash\\"',
  '/Users/ann/; (allow default)',
  '/Users/ann/(param "PATH_0")',
  '/Users/ann/Größe 日本 \u{1f600}',
])('the name %j is a parameter and no part of the profile', (path) => {
  const plain = seatbeltProfile({ ...least, writable: [{ path: '/Users/ann/work', kind: 'folder', identity }] });
  const hostile = { ...least, writable: [{ path, kind: 'folder', identity } as const] };
  expect(seatbeltProfile(hostile)).toEqual({ ...plain, parameters: { ...plain.parameters, PATH_2: path } });
  expect(seatbeltArguments(hostile)).toEqual([
    ...['-D', 'PATH_0=/private/var/s', '-D', 'PATH_1=/private/var/s/home', '-D', `PATH_2=${path}`],
    ...['-p', plain.profile],
  ]);
});
