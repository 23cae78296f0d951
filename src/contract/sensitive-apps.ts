import { remembering } from './remembering.ts';

/**
 * Says why an app is sensitive ("a terminal"), or nothing when it is not. Takes names, bundle ids and desktop ids. Matching is
 * tolerant, because a question too many costs a click and a missed terminal costs the machine: case, accents, full-width
 * forms, spaces, dashes, endings such as `.app`, and version digits make no difference, and a sensitive word inside a longer
 * name counts ("Terminal Velocity" is treated as a terminal).
 */
export const sensitivity = remembering((appName): string | undefined => {
  const spellings = [appName, splitAtCapitals(appName)].map(wordsOf);
  return spellings.map(kindOfWords).find((kind) => kind !== undefined) ?? kindOfWhole(appName);
});

/**
 * Apps through which one could do anything, or read every secret. Names are in lower case, without spaces, marks or version
 * digits. `anywhere` matches inside a longer name too; `alone` matches only a whole name or the last part of an id, because the
 * word is common in other names ("Console" is a terminal, "Game Console Database" is not).
 */
type SensitiveKind = { kind: string; anywhere: readonly string[]; alone: readonly string[] };

/** Apps in which a file is opened, and a program started, by a click. */
const FILE_MANAGERS: SensitiveKind = {
  kind: 'a file manager',
  anywhere: [
    ...['nautilus', 'thunar', 'dolphin', 'pcmanfm', 'nemo', 'caja', 'krusader', 'konqueror', 'spacefm', 'peony'],
    ...['doublecmd', 'doublecommander', 'filemanager', 'xfdesktop', 'nemodesktop', 'pathfinder', 'forklift'],
  ],
  alone: ['finder', 'files', 'plasmashell', 'rox', 'worker', 'gentoo'],
};

const SENSITIVE_KINDS: readonly SensitiveKind[] = [
  {
    kind: 'a terminal',
    anywhere: [
      'terminal',
      'iterm',
      'xterm',
      'uxterm',
      'lxterm',
      'koi8rxterm',
      'aterm',
      'eterm',
      'mlterm',
      'mrxvt',
      'rxvt',
      'urxvt',
      'roxterm',
      'lilyterm',
      'stterm',
      'pterm',
      'putty',
      'coolretroterm',
      'konsole',
      'alacritty',
      'kitty',
      'wezterm',
      'ghostty',
      'warp',
      'hyper',
      'tilix',
      'terminator',
      'terminology',
      'termius',
      'termite',
      'guake',
      'yakuake',
      'blackbox',
      'raggesilver',
      'foot',
      'footclient',
      'st',
      'ptyxis',
      'kgx',
      'gnomeconsole',
      'powershell',
      'pwsh',
      'sakura',
      'zutty',
      'cathode',
      'macterm',
      'secureshell',
    ],
    alone: ['console', 'tabby', 'contour', 'terminus', 'tilda', 'rio', 'wave', 'havoc', 'prompt', 'shell', 'crosh'],
  },
  {
    kind: 'a script editor',
    anywhere: [
      'scripteditor',
      'scriptdebugger',
      'automator',
      'shortcuts',
      'applescript',
      'osascript',
      'keyboardmaestro',
      'hammerspoon',
      'autokey',
    ],
    alone: [],
  },
  {
    kind: 'the system settings',
    anywhere: [
      'systemsettings',
      'systempreferences',
      'settings',
      'gnomecontrolcenter',
      'controlcenter',
      'profilemanager',
      'directoryutility',
      'appleconfigurator',
      'dconf',
      'dconfeditor',
      'gnometweaks',
      'kinfocenter',
      'yast',
    ],
    alone: ['preferences', 'tweaks'],
  },
  {
    kind: 'a password manager',
    anywhere: [
      'keychainaccess',
      'keychain',
      'password',
      'passwords',
      'passwordmanager',
      '1password',
      'onepassword',
      'bitwarden',
      'vaultwarden',
      'lastpass',
      'dashlane',
      'nordpass',
      'roboform',
      'keepass',
      'keepassxc',
      'keepassx',
      'keeweb',
      'keepersecurity',
      'keepermac',
      'keeperpassword',
      'keeperdesktop',
      'kwallet',
      'kwalletmanager',
      'macpass',
      'enpass',
      'qtpass',
      'gopass',
      'seahorse',
      'kleopatra',
      'gpgkeychain',
      'secrets',
      'protonpass',
      'strongbox',
      'authenticator',
      'authy',
      'yubico',
      'yubikey',
    ],
    alone: ['keeper', 'pass', 'revelation', 'buttercup', 'padloc'],
  },
  {
    kind: 'a security agent',
    anywhere: [
      'securityagent',
      'littlesnitch',
      'lulu',
      'malwarebytes',
      'crowdstrike',
      'falcon',
      'sentinelone',
      'carbonblack',
      'sophos',
      'microsoftdefender',
      'clamtk',
      'santa',
      'blockblock',
      'knockknock',
      'radiosilence',
      'gatekeeper',
      'firewall',
      'gufw',
      'ufw',
      'polkit',
      'policykit',
      'apparmor',
    ],
    alone: ['murus'],
  },
  {
    kind: 'a disk utility',
    anywhere: [
      'diskutility',
      'gparted',
      'gnomedisks',
      'gnomediskutility',
      'disks',
      'partitionmanager',
      'partition',
      'migrationassistant',
      'bootcamp',
      'balenaetcher',
      'etcher',
      'carboncopycloner',
      'superduper',
      'timeshift',
    ],
    alone: [],
  },
  {
    kind: 'a remote-desktop tool',
    anywhere: [
      'remotedesktop',
      'screensharing',
      'teamviewer',
      'anydesk',
      'rustdesk',
      'vnc',
      'vncviewer',
      'tigervnc',
      'turbovnc',
      'realvnc',
      'remmina',
      'parsec',
      'splashtop',
      'jumpdesktop',
      'microsoftremotedesktop',
      'nomachine',
      'freerdp',
      'xfreerdp',
      'rdesktop',
      'krdc',
      'krfb',
      'vinagre',
      'gnomeconnections',
      'logmein',
      'gotomypc',
      'x2go',
      'windowsapp',
    ],
    alone: ['connections', 'screens', 'moonlight'],
  },
  {
    kind: 'a code editor, which holds a terminal',
    anywhere: [
      ...[
        'vscode',
        'visualstudiocode',
        'codeoss',
        'vscodium',
        'codium',
        'codeinsiders',
        'pycharm',
        'intellij',
        'intellijidea',
      ],
      ...['webstorm', 'phpstorm', 'goland', 'clion', 'rubymine', 'datagrip', 'rustrover', 'dataspell', 'androidstudio'],
      ...['jetbrains', 'emacs', 'emacsclient', 'gvim', 'macvim', 'neovim', 'neovide', 'vimr', 'jupyter', 'jupyterlab'],
      ...['rstudio', 'kdevelop', 'geany', 'xcode'],
    ],
    alone: [
      'code',
      'cursor',
      'windsurf',
      'zed',
      'zededitor',
      'idea',
      'rider',
      'fleet',
      'vim',
      'nvim',
      'spyder',
      'eclipse',
    ],
  },
  {
    kind: 'a launcher of programs',
    anywhere: [
      ...['krunner', 'rofi', 'dmenu', 'wofi', 'fuzzel', 'ulauncher', 'raycast', 'gmrun', 'lxrun', 'appfinder'], // guard N29-2
      'xfce4appfinder',
    ],
    alone: ['albert', 'spotlight', 'alfred', 'synapse', 'kupfer', 'tofi', 'bemenu', 'launchpad'],
  },
];

/** Whether files are opened by a click in this app. A name too many costs a question. */
export const isFileManager = remembering((appName): boolean => {
  const words = [appName, splitAtCapitals(appName)].map(wordsOf);
  const parts = words.flatMap((each) => [...partsOf(each)].map(withoutVersion));
  return (
    parts.some((part) => FILE_MANAGERS.anywhere.includes(part)) ||
    wholesOf(appName).some((whole) => FILE_MANAGERS.alone.includes(whole))
  );
});

const OWN_NAMES = new Set(['handrail']);

/** Handrail itself may never be a target. */
export const isHandrail = remembering((appName): boolean =>
  [appName, splitAtCapitals(appName)].flatMap(wordsOf).some((word) => OWN_NAMES.has(word)),
);

const KIND_OF_PART = new Map(SENSITIVE_KINDS.flatMap(({ kind, anywhere }) => anywhere.map((name) => [name, kind])));
const KIND_OF_WHOLE = new Map(SENSITIVE_KINDS.flatMap(({ kind, alone }) => alone.map((name) => [name, kind])));

/** A run of words that is longer than every sensitive name is none. */
const LONGEST_NAME = Math.max(...[...KIND_OF_PART.keys()].map((name) => name.length));

function kindOfWords(words: readonly string[]): string | undefined {
  for (const part of partsOf(words)) {
    const kind = KIND_OF_PART.get(part) ?? KIND_OF_PART.get(withoutVersion(part)) ?? kindOfEnding(part);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function kindOfWhole(appName: string): string | undefined {
  return wholesOf(appName)
    .map((name) => KIND_OF_WHOLE.get(name))
    .find((kind) => kind !== undefined);
}

/** The whole name, and the last part of an id, without a version. */
function wholesOf(appName: string): string[] {
  const lastOfId = wordsOf(appName.replace(FILE_ENDING, '').replace(/^[^\s]*\./u, ''));
  return [wordsOf(appName), lastOfId].map((each) => withoutVersion(each.join('')));
}

/** New terminals keep appearing, and most are called something-terminal: LXTerminal, QTerminal, deepin-terminal. */
function kindOfEnding(part: string): string | undefined {
  return /(?:terminal|terminalemulator)$/u.test(part) ? 'a terminal' : undefined;
}

/** Each word, and each run of neighbouring words written as one: "key chain access" holds "keychain". */
function* partsOf(words: readonly string[]): Generator<string> {
  for (const [first, word] of words.entries()) {
    yield word;
    let part = word;
    for (const next of words.slice(first + 1)) {
      part += next;
      if (withoutVersion(part).length > LONGEST_NAME) break;
      yield part;
    }
  }
}

/** "keepass2" and "iterm2" are versions of "keepass" and "iterm"; a name of digits alone stays. */
function withoutVersion(name: string): string {
  return name.replace(/(?<=\p{L})\d+$/u, '');
}

function splitAtCapitals(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

/** Without the ending of a file name: "Notes Remote.desktop" does not hold the words "remote desktop". */
function wordsOf(name: string): string[] {
  return folded(name)
    .replace(FILE_ENDING, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

const FILE_ENDING = /\.(?:app|desktop)$/iu;

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };

function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(/[ıłøđßæœ]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter);
}
