import { createRunFinder } from './path-runs.ts';
import { SECRET_PLACES } from './secret-places.ts';

/**
 * Says which secret a real path leads to ("a private key"), or nothing. Daemon and agent use the same rule: the daemon blocks
 * such a path whatever else allows it, and the agent never opens one.
 *
 * Names are compared without case and in one Unicode form, because a Mac's file system takes several spellings for one file.
 */
export function secretAt(realPath: string): string | undefined {
  const path = comparablePath(realPath);
  const name = path.split('/').findLast((each) => each !== '') ?? '';
  return secretFolder(path) ?? secretFile(name);
}

/** The kind of a secret folder or file that is somewhere on a path. */
const secretFolder = createRunFinder<string>(SECRET_PLACES);

/** Names of files that hold secrets wherever they are. */
const SECRET_FILES: readonly { kind: string; names: RegExp }[] = [
  { kind: 'settings with passwords and keys', names: /^\.env(?:\..+)?$|\.env$|^\.envrc$/u },
  {
    kind: 'a private key or certificate',
    names:
      /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx?|gpg|asc|age|agekey|keychain(?:-db)?)$|^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/u,
  },
  {
    kind: 'a shell history, which often holds passwords',
    names:
      /^\.?(?:bash|zsh|sh|ksh|fish|python|node_repl|psql|mysql|sqlite|rediscli|mongo|irb|r|zsh-|zsh_|bash_|eternal_|bash_eternal_)_?history(?:\.(?:db|sqlite3?))?(?:-(?:wal|shm|journal))?$|^\.(?:zsh|bash)_history[._-]|^\.histfile$|^\.?lesshst$|^\.viminfo$|^\.zhistory$|^\.history$/u,
  },
  {
    kind: 'stored credentials',
    names:
      /^\.netrc$|^_netrc$|^\.npmrc$|^\.pypirc$|^\.pgpass$|^\.my\.cnf$|^\.git-credentials$|^\.htpasswd$|^\.authinfo(?:\.gpg)?$|^credentials(?:\.(?:json|toml|ya?ml|ini|db))?$|^secrets?\.(?:json|toml|ya?ml|ini)$|^service[-_]account.*\.json$|^\.vault-token$|^\.databrickscfg$|^\.terraformrc$|^\.(?:msmtp|mbsync|offlineimap|fetchmail)rc$|^\.boto$|^\.s3cfg$|^wallet\.dat$|^login data(?:-journal)?$|^cookies(?:\.sqlite|\.binarycookies|-journal)?$|^key[34]\.db$|^logins\.json$/u,
  },
  {
    kind: 'a key to the screen and the keyboard',
    names: /^\.xauthority(?:-[lc])?$|^\.iceauthority$|^\.mutter-xwaylandauth\.|^xauth_/u,
  },
  { kind: 'the passwords of this computer', names: /^(?:g?shadow|master\.passwd|sudoers|opasswd)-?$/u },
];

/** Public halves and examples look like secrets by name, and are none. */
const PUBLIC_FILES = /\.pub$|^\.env\.(?:example|sample|template|dist)$|^\.?authorized_keys\.example$/u;

function secretFile(name: string): string | undefined {
  if (PUBLIC_FILES.test(name)) return undefined;
  return SECRET_FILES.find(({ names }) => names.test(name))?.kind;
}

/** A path as names are compared: one case, one Unicode form, no invisible characters. */
export function comparablePath(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}
