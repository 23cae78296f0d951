/**
 * Says which secret a real path leads to ("a private key"), or nothing. Daemon and agent use the same rule: the daemon blocks
 * such a path whatever else allows it, and the agent never opens one.
 *
 * Names are compared without case and in one Unicode form, because a Mac's file system takes several spellings for one file.
 */
export function secretAt(realPath: string): string | undefined {
  const parts = comparablePath(realPath)
    .split('/')
    .filter((part) => part !== '');
  return secretFolder(parts) ?? secretFile(parts.at(-1) ?? '');
}

type SecretFolder = { kind: string; folders: readonly string[] };

/** Runs of folder names, one after the other, anywhere on the path. All in lower case. */
const SECRET_FOLDERS: readonly SecretFolder[] = [
  {
    kind: 'keys and credentials',
    folders: [
      '.ssh',
      '.gnupg',
      '.pki',
      '.aws',
      '.azure',
      '.kube',
      '.docker',
      '.config/gcloud',
      '.config/gh',
      '.config/hub',
      '.config/op',
      '.config/rclone',
      '.config/sops',
      '.config/doctl',
      '.terraform.d',
      '.password-store',
      '.local/share/keyrings',
      '.local/share/kwalletd',
      '.local/share/pass',
      'library/keychains',
      'library/application support/keepassxc',
      'library/group containers/2bua8c4s2c.com.1password',
      '.config/keepassxc',
      '.config/bitwarden',
      '.config/1password',
      '.config/github-copilot',
      '.config/hcloud',
      '.config/heroku',
      '.config/configstore',
      '.config/filezilla',
      '.fly',
      '.oci',
      '.subversion/auth',
      '.ethereum',
      '.bitcoin',
      '.electrum',
      '.monero',
      '.config/solana',
      'library/ethereum',
      'library/application support/bitcoin',
      'library/application support/electrum',
      'library/application support/github-copilot',
      'var/lib/sss/secrets',
      'private/var/db/dslocal',
      'etc/ssl/private',
      'etc/sudoers.d',
      'etc/networkmanager/system-connections',
      'etc/wpa_supplicant',
      'var/lib/iwd',
    ],
  },
  {
    kind: 'a browser profile, which holds passwords and sessions',
    folders: [
      '.mozilla',
      '.config/mozilla',
      '.config/librewolf',
      '.waterfox',
      '.zen',
      'snap/thunderbird',
      'snap/brave',
      '.config/google-chrome',
      '.config/google-chrome-beta',
      '.config/google-chrome-unstable',
      '.config/chromium',
      '.config/bravesoftware',
      '.config/microsoft-edge',
      '.config/vivaldi',
      '.config/opera',
      '.librewolf',
      '.thunderbird',
      'snap/firefox',
      'snap/chromium',
      '.var/app/org.mozilla.firefox',
      '.var/app/com.google.chrome',
      '.var/app/org.chromium.chromium',
      '.var/app/com.brave.browser',
      'library/application support/google/chrome',
      'library/application support/chromium',
      'library/application support/bravesoftware',
      'library/application support/microsoft edge',
      'library/application support/firefox',
      'library/application support/vivaldi',
      'library/application support/com.operasoftware.opera',
      'library/application support/arc',
      'library/safari',
      'library/containers/com.apple.safari',
      'library/cookies',
    ],
  },
  {
    kind: 'private messages or mail',
    folders: [
      'library/messages',
      'library/mail',
      '.config/signal',
      'library/application support/signal',
      '.config/slack',
      'library/application support/slack',
      'library/containers/com.tinyspeck.slackmacgap',
      '.config/discord',
      '.config/discordcanary',
      '.config/discordptb',
      'library/application support/discord',
      '.local/share/telegramdesktop',
      'library/application support/telegram desktop',
      'library/group containers/6n38vws5bx.ru.keepcoder.telegram',
      '.config/element',
      'library/application support/element',
      'library/group containers/group.net.whatsapp.whatsapp.shared',
      '.config/microsoft/microsoft teams',
      '.config/teams-for-linux',
      '.config/evolution',
      '.local/share/evolution',
      'snap/slack',
      'snap/discord',
      'snap/telegram-desktop',
      '.var/app/com.slack.slack',
      '.var/app/com.discordapp.discord',
      '.var/app/org.telegram.desktop',
      '.var/app/org.signal.signal',
    ],
  },
  {
    kind: 'the tokens of an AI program',
    folders: [
      '.codex/auth.json',
      '.gemini/oauth_creds.json',
      '.gemini/google_accounts.json',
      '.claude/.credentials.json',
      '.claude.json',
      '.local/share/opencode/auth.json',
      '.config/goose/secrets.yaml',
      '.cache/huggingface/token',
      '.huggingface/token',
    ],
  },
  {
    kind: 'keys and credentials',
    folders: [
      '.config/containers/auth.json',
      '.m2/settings.xml',
      '.m2/settings-security.xml',
      '.gradle/gradle.properties',
      '.local/share/com.vercel.cli/auth.json',
      'library/application support/com.vercel.cli/auth.json',
      '.config/helm/registry',
    ],
  },
  {
    kind: 'a shell history, which often holds passwords',
    folders: [
      '.local/share/atuin',
      '.local/share/mcfly',
      '.local/share/fish/fish_history',
      '.hishtory',
      '.histdb',
      '.zsh_sessions',
      '.bash_sessions',
      '.config/nushell/history.txt',
      '.config/nushell/history.sqlite3',
      '.local/share/powershell/psreadline',
    ],
  },
  {
    kind: "Handrail's own data",
    folders: ['.local/share/handrail', 'library/application support/handrail', '.config/handrail'],
  },
  {
    // Node runs what it finds there (`src/compile-cache.ts`), so it is for no requester to write.
    kind: "Handrail's compiled code",
    folders: ['handrail-compiled-code', 'node-compile-cache'],
  },
];

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
      /^\.?(?:bash|zsh|sh|ksh|fish|python|node_repl|psql|mysql|sqlite|rediscli|mongo|irb|r|zsh-|zsh_|bash_|eternal_|bash_eternal_)_?history(?:\.(?:db|sqlite3?))?(?:-(?:wal|shm|journal))?$|^\.(?:zsh|bash)_history[._-]|^\.histfile$|^\.lesshst$|^\.viminfo$/u,
  },
  {
    kind: 'stored credentials',
    names:
      /^\.netrc$|^_netrc$|^\.npmrc$|^\.pypirc$|^\.pgpass$|^\.my\.cnf$|^\.git-credentials$|^\.htpasswd$|^\.authinfo(?:\.gpg)?$|^credentials(?:\.(?:json|toml|ya?ml|ini|db))?$|^secrets?\.(?:json|toml|ya?ml|ini)$|^service[-_]account.*\.json$|^\.vault-token$|^\.boto$|^\.s3cfg$|^wallet\.dat$|^login data(?:-journal)?$|^cookies(?:\.sqlite|\.binarycookies|-journal)?$|^key[34]\.db$|^logins\.json$/u,
  },
  {
    kind: 'a key to the screen and the keyboard',
    names: /^\.xauthority(?:-[lc])?$|^\.iceauthority$|^\.mutter-xwaylandauth\.|^xauth_/u,
  },
  { kind: 'the passwords of this computer', names: /^(?:g?shadow|master\.passwd|sudoers|opasswd)-?$/u },
];

/** Public halves and examples look like secrets by name, and are none. */
const PUBLIC_FILES = /\.pub$|^\.env\.(?:example|sample|template|dist)$|^\.?authorized_keys\.example$/u;

function secretFolder(parts: readonly string[]): string | undefined {
  const path = `/${parts.join('/')}/`;
  return SECRET_FOLDERS.find(({ folders }) => folders.some((folder) => path.includes(`/${folder}/`)))?.kind;
}

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
