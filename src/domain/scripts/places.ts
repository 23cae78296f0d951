import { MAX_PATH_LENGTH } from '../../contract/files.ts';
import { secretAt } from '../../contract/secret-paths.ts';

type Place = { paths: RegExp; effect: string };

/** The secret at a path that a script names. It was not followed, so a link can still lead to one. */
export function secretNamed(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined; // guard E2-2
  const kind = secretAt(path) ?? secretMeant(path);
  if (kind !== undefined) return kind;
  return MORE_SECRETS.find(({ paths }) => paths.test(path.toLowerCase()))?.kind;
}

/** Why a copy at this path leaves the computer: "which is sent to other computers". */
export function leavesFrom(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const name = path.toLowerCase();
  return LEAVING_PLACES.find(({ paths }) => paths.test(name))?.effect;
}

const LEAVING_PLACES: readonly Place[] = [
  {
    paths:
      /(?:^|\/)(?:dropbox|onedrive|google ?drive|nextcloud|owncloud|box sync|pcloud ?drive|megasync|sync|syncthing|icloud drive)(?:\/|$)|(?:^|\/)library\/(?:mobile documents|cloudstorage)(?:\/|$)/u,
    effect: 'which is sent to other computers',
  },
  {
    paths: /^\/(?:volumes|media|run\/media|mnt)\/[^/]+/u,
    effect: 'a disk that can be taken away, or that other computers use',
  },
  {
    paths: /(?:^|\/)(?:public_html|htdocs)(?:\/|$)|^\/(?:var\/www|srv\/(?:www|http))(?:\/|$)|^~\/public(?:\/|$)/u,
    effect: 'which others can read over the network',
  },
];

/**
 * A secret that a pattern of file names can mean: `~/.s*h/id_*` means `~/.ssh/id_rsa`. As in a shell, a star at the beginning of a
 * name means no hidden file.
 */
export function secretMeant(path: string): string | undefined {
  if (!/[*?[]/u.test(path) || path.length > 200) return undefined;
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '~');
  const patterns = parts.map(patternOf);
  return USUAL_SECRETS.find(({ names }) => {
    const from = parts.length - names.length;
    const isTold = /[a-z.]/u.test(parts[from] ?? '');
    return isTold && names.every((name, at) => isMeant(name, patterns[from + at] ?? ''));
  })?.kind;
}

/** A set of characters such as `[a-z]` counts as any character. */
function patternOf(part: string): string {
  return part.replace(/\[[^\]/]*\]?|\]/gu, '?').replace(/\*{2,}/gu, '*');
}

/** Whether a pattern means a name. The time is at most the product of their lengths, however many stars there are. */
function isMeant(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let [at, read] = [0, 0];
  let star: { pattern: number; name: number } | undefined;
  while (at < name.length) {
    const wanted = pattern[read];
    if (wanted === '*') {
      star = { pattern: read, name: at };
      read += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[at])) {
      at += 1;
      read += 1;
    } else if (star === undefined) return false;
    else {
      star.name += 1;
      at = star.name;
      read = star.pattern + 1;
    }
  }
  return /^\**$/u.test(pattern.slice(read));
}

const USUAL_SECRETS = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.gnupg/secring.gpg',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.config/gh/hosts.yml',
  '.config/google-chrome/default/login data',
  '.mozilla/firefox/profile/logins.json',
  '.password-store/mail.gpg',
  '.netrc',
  '.git-credentials',
  '.bash_history',
  '.zsh_history',
  'library/keychains/login.keychain-db',
  'etc/shadow',
].map((path) => ({ names: path.split('/'), kind: secretAt(`/${path}`) ?? 'keys and credentials' }));

const MORE_SECRETS: readonly { paths: RegExp; kind: string }[] = [
  { paths: /^\/etc\/passwd-?$/u, kind: 'the list of accounts' },
  { paths: /^\/proc\/[^/]+\/(?:environ|mem|maps)$/u, kind: 'the memory and settings of other programs' },
  { paths: /^\/dev\/(?:mem|kmem|input\/)/u, kind: 'the memory or the keyboard of the computer' },
];

/** The kinds of personal records that names of files commonly tell. */
const PERSONAL_FILES: readonly { names: RegExp; kind: string }[] = [
  {
    names:
      /pass(?:word|phrase|code)s?|passwd|credentials?|secrets?|recovery[-_ .]?(?:codes?|key|phrase)|seed[-_ .]?phrase|private[-_ .]?key|api[-_ .]?keys?|access[-_ .]?tokens?|2fa|\botp\b/u,
    kind: 'passwords or keys',
  },
  {
    names:
      /\bbank|statement|\biban\b|credit[-_ .]?card|payroll|salar(?:y|ies)|payslip|\btax(?:es)?\b|\bw-?2\b|account(?:s|[-_ .]?numbers?)?\b|wallet/u,
    kind: 'records about money',
  },
  {
    names:
      /contacts?\b|address[-_ .]?book|customers?\b|clients?\b|employees?\b|personnel|\bssn\b|passport|driver'?s?[-_ .]?licen[cs]e|\bid[-_ .]?card\b|\.vcf$/u,
    kind: 'records about people',
  },
  { names: /medical|patients?\b|diagnos[ei]s|health[-_ .]?record|prescriptions?/u, kind: 'records about health' },
];

/** The kind of personal records that the name of a file tells, such as "records about people" for `contacts.csv`. */
export function personalRecordsAt(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const spaced = name.slice(0, 300).replace(/_/gu, ' ');
  return PERSONAL_FILES.find(({ names }) => names.test(spaced))?.kind;
}
