/** Words that give away an app through which one could do anything, or read every secret: one entry, one reason. */
const SENSITIVE: readonly { kind: string; words: readonly string[] }[] = [
  {
    kind: 'a terminal',
    words: [
      'terminal',
      'iterm',
      'iterm2',
      'xterm',
      'uxterm',
      'rxvt',
      'urxvt',
      'konsole',
      'alacritty',
      'kitty',
      'wezterm',
      'ghostty',
      'warp',
      'hyper',
      'tilix',
      'terminator',
      'guake',
      'yakuake',
      'foot',
      'st',
      'gnome terminal',
      'ptyxis',
      'kgx',
    ],
  },
  {
    kind: 'a script editor',
    words: ['script editor', 'scripteditor', 'scripteditor2', 'automator', 'shortcuts', 'applescript'],
  },
  {
    kind: 'the system settings',
    words: [
      'system settings',
      'systempreferences',
      'system preferences',
      'systemsettings',
      'settings',
      'gnome control center',
      'control center',
      'profile manager',
      'directory utility',
    ],
  },
  {
    kind: 'a password manager',
    words: [
      'keychain access',
      'keychainaccess',
      'keychain',
      'passwords',
      '1password',
      'onepassword',
      'bitwarden',
      'lastpass',
      'dashlane',
      'keepass',
      'keepassxc',
      'keepassx',
      'macpass',
      'enpass',
      'seahorse',
      'secrets',
      'kwalletmanager',
      'proton pass',
      'strongbox',
    ],
  },
  {
    kind: 'a security agent',
    words: [
      'securityagent',
      'security agent',
      'little snitch',
      'lulu',
      'malwarebytes',
      'crowdstrike',
      'falcon',
      'santa',
      'blockblock',
      'gatekeeper',
      'gufw',
      'polkit',
    ],
  },
  {
    kind: 'a disk utility',
    words: ['disk utility', 'diskutility', 'gparted', 'gnome disks', 'disks', 'migration assistant', 'boot camp'],
  },
  {
    kind: 'a remote-desktop tool',
    words: [
      'remote desktop',
      'remotedesktop',
      'screen sharing',
      'screensharing',
      'teamviewer',
      'anydesk',
      'rustdesk',
      'vnc',
      'remmina',
      'parsec',
      'chrome remote desktop',
      'realvnc',
      'tigervnc',
      'splashtop',
      'jump desktop',
      'microsoft remote desktop',
    ],
  },
];

/**
 * Says why an app is sensitive, or nothing when it is not. Works on names and on bundle or desktop ids, word by word:
 * what one of these words names must not slip through under a longer name.
 */
export function sensitivity(appName: string): string | undefined {
  const names = spellings(appName).map((spelling) => ` ${spelling.join(' ')} `);
  return SENSITIVE.find((entry) => entry.words.some((word) => names.some((name) => name.includes(` ${word} `))))?.kind;
}

const OWN_NAMES = new Set(['handrail']);

/** Handrail itself may never be a target. */
export function isHandrail(appName: string): boolean {
  return spellings(appName)
    .flat()
    .some((word) => OWN_NAMES.has(word));
}

/** The words of a name, read once as they stand and once split where a capital begins a word. */
function spellings(appName: string): string[][] {
  const name = appName.normalize('NFKC');
  return [name, name.replace(/([a-z])([A-Z])/g, '$1 $2')].map((spelling) =>
    spelling
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  );
}
