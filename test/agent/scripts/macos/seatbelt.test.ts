import { expect, test } from 'vitest';
import { type MacSandbox, seatbeltArguments, seatbeltProfile } from '../../../../agent/scripts/macos/run-on-mac.ts';

const identity = { device: '1', inode: '2' };
const scratch = { folder: '/private/var/s', home: '/private/var/s/home' };
const least: MacSandbox = { writable: [], hidden: [], readOnly: [], scratch };

const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* process-exec file-map-executable file-test-existence (subpath "/bin") (subpath "/usr") (subpath "/System") (subpath "/Library/Developer/CommandLineTools") (subpath "/opt/homebrew"))
(allow file-read* file-map-executable file-test-existence (literal "/") (subpath "/private/etc/ssl") (subpath "/private/var/db/dyld") (subpath "/private/preboot/Cryptexes") (subpath "/private/var/select"))
(allow file-read* file-test-existence (literal "/private/etc/localtime") (subpath "/private/var/db/timezone"))
(allow file-read-metadata file-test-existence (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private") (literal "/private/var"))
(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-read* file-write-data (subpath "/dev/fd"))
(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))
(allow file-read* process-exec file-map-executable file-test-existence (subpath (param "PATH_0")))
(allow file-write* (subpath (param "PATH_1")))
`;
const NO_OTHER_RIGHTS = '(deny file-write-setugid)\n';

/** The folders above the script's own file. */
const wayTo = (first: number) =>
  [first, first + 1]
    .map((at) => `(allow file-read-metadata file-test-existence (literal (param "PATH_${at}")))\n`)
    .join('');

test('a script without a folder reads the system and its own file, writes its empty home, and has no network', () => {
  expect(seatbeltProfile(least)).toEqual({
    profile: BASE + NO_OTHER_RIGHTS + wayTo(2),
    parameters: {
      PATH_0: '/private/var/s',
      PATH_1: '/private/var/s/home',
      PATH_2: '/private',
      PATH_3: '/private/var',
    },
  });
});

test('a folder is opened but for what is hidden in it, and nothing in it can be moved out of its rules', () => {
  const { profile, parameters } = seatbeltProfile({
    ...least,
    writable: [
      { path: '/Users/ann/work', kind: 'folder', identity },
      { path: '/Users/ann/out.txt', kind: 'file', identity },
    ],
    readOnly: ['/Users/ann/work/.git'],
    hidden: [
      { path: '/Users/ann/work/a/b/.ssh', kind: 'folder' },
      { path: '/Users/ann/work/a/.env', kind: 'file' },
    ],
    node: '/opt/node',
    proxyPort: 50_123,
  });
  const way = [5, 6, 7, 8, 9].map(
    (at) => `(allow file-read-metadata file-test-existence (literal (param "PATH_${at}")))\n`,
  );
  expect(
    profile,
  ).toBe(`${BASE}(allow file-read* process-exec file-map-executable file-test-existence (literal (param "PATH_2")))
(allow dynamic-code-generation)
(allow file* process-exec (subpath (param "PATH_3")))
(allow file* process-exec (literal (param "PATH_4")))
(deny file-write-create file-link (regex #"/\\.([gG][iI][tT]|[hH][gG]|[jJ][jJ])$"))
${NO_OTHER_RIGHTS}${way.join('')}(deny file-write* file-link (subpath (param "PATH_10")))
(deny file* (subpath (param "PATH_11")))
(deny file* (literal (param "PATH_12")))
(deny file-write-unlink (literal (param "PATH_3")))
(deny file-write-unlink (literal (param "PATH_13")))
(deny file-write-unlink (literal (param "PATH_14")))
(allow network-outbound (remote tcp "localhost:50123"))
`);
  expect(Object.values(parameters)).toEqual([
    ...['/private/var/s', '/private/var/s/home', '/opt/node', '/Users/ann/work', '/Users/ann/out.txt'],
    ...['/private', '/private/var', '/opt', '/Users', '/Users/ann'],
    ...['/Users/ann/work/.git', '/Users/ann/work/a/b/.ssh', '/Users/ann/work/a/.env'],
    ...['/Users/ann/work/a', '/Users/ann/work/a/b'],
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
    ...['/private', '/private/var', '/Users', '/Users/ann'].flatMap((each, at) => ['-D', `PATH_${at + 3}=${each}`]),
    ...['-p', plain.profile],
  ]);
});
