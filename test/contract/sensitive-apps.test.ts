import { describe, expect, test } from 'vitest';
import { isHandrail, sensitivity } from '../../src/contract/sensitive-apps.ts';

describe('a sensitive app is recognised', () => {
  test.each([
    ['a terminal', 'LXTerminal'],
    ['a terminal', 'lxterminal.desktop'],
    ['a terminal', 'QTerminal'],
    ['a terminal', 'qterminal-drop'],
    ['a terminal', 'Black Box'],
    ['a terminal', 'blackbox'],
    ['a terminal', 'com.raggesilver.BlackBox'],
    ['a terminal', 'Console'],
    ['a terminal', 'GNOME Console'],
    ['a terminal', 'org.gnome.Console'],
    ['a terminal', 'org.gnome.Console.desktop'],
    ['a terminal', 'com.apple.Console'],
    ['a terminal', 'kgx'],
    ['a terminal', 'Ptyxis'],
    ['a terminal', 'org.gnome.Ptyxis'],
    ['a terminal', 'PowerShell'],
    ['a terminal', 'PowerShell 7'],
    ['a terminal', 'pwsh'],
    ['a terminal', 'deepin-terminal'],
    ['a terminal', 'x-terminal-emulator'],
    ['a terminal', 'cool-retro-term'],
    ['a terminal', 'iTerm2'],
    ['a terminal', 'com.googlecode.iterm2'],
    ['a terminal', 'iTerm 2.app'],
    ['a terminal', 'TERMINAL'],
    ['a terminal', 'Términal'],
    ['a terminal', 'Ｔｅｒｍｉｎａｌ'],
    ['a terminal', 'Ter\u200bminal'],
    ['a terminal', 'Ter-minal'],
    ['a terminal', 'dev.warp.Warp-Stable'],
    ['a terminal', 'Terminal Velocity'],
    ['a terminal', 't e r m i n a l'],
    ['a terminal', 'Cool Retro-Te rm'],
    ['a remote-desktop tool', 'M i c r o s o f t Remote D e s k t o p'],
    ['a script editor', 'Script-Editor'],
    ['a script editor', 'com.apple.ScriptEditor2'],
    ['a script editor', 'Keyboard Maestro'],
    ['the system settings', 'System Settings.app'],
    ['the system settings', 'com.apple.systempreferences'],
    ['the system settings', 'dconf Editor'],
    ['a password manager', 'KeePass2'],
    ['a password manager', 'KeePass 2.57'],
    ['a password manager', 'keepassxc'],
    ['a password manager', 'Keeper'],
    ['a password manager', 'Keeper Password Manager'],
    ['a password manager', 'com.keepersecurity.passwordmanager'],
    ['a password manager', 'KWalletManager5'],
    ['a password manager', 'kwalletmanager5-kwalletd'],
    ['a password manager', 'org.kde.kwalletmanager5'],
    ['a password manager', '1Password 8'],
    ['a password manager', 'com.1password.1password'],
    ['a security agent', 'Little Snitch 6'],
    ['a security agent', 'Firewall Configuration'],
    ['a disk utility', 'Disk-Utility'],
    ['a disk utility', 'org.gnome.DiskUtility'],
    ['a disk utility', 'KDE Partition Manager'],
    ['a remote-desktop tool', 'com.apple.ScreenSharing'],
    ['a remote-desktop tool', 'GNOME Connections'],
    ['a remote-desktop tool', 'TigerVNC Viewer'],
    ['a remote-desktop tool', 'Windows App'],
  ])('%s: %s', (kind, name) => expect(sensitivity(name)).toBe(kind));
});

describe('an app beside the list is not taken for one on it', () => {
  test.each([
    'TextEdit',
    'org.gnome.Calculator',
    'Terminally Ill Patients',
    'Kittens',
    'Footnotes',
    'Bookkeeper',
    'Time Keeper',
    'Goalkeeper',
    'Blackboard',
    'Game Console Database',
    'Game Console',
    'Wavelab',
    'Shells of the Sea',
    'Screens of Life',
    'Midterm Exams',
    'Compass',
    'Passport Photo',
    'Vancouver',
    'Steam',
    'Stellarium',
  ])('%s', (name) => expect(sensitivity(name)).toBeUndefined());
});

test('Handrail is recognised by name, id and accents, and a hand rail is not Handrail', () => {
  const recognised = ['Handrail', 'com.example.handrail', 'HANDRAIL.app', 'HandrailHelper', 'Hándrail'].map(isHandrail);
  expect(recognised).toEqual([true, true, true, true, true]);
  expect(isHandrail('Hand Rail Designer')).toBe(false);
});

test.each([
  ...[
    'Visual Studio Code',
    'code',
    'VSCodium',
    'Cursor',
    'Windsurf',
    'dev.zed.Zed',
    'PyCharm Community',
    'IntelliJ IDEA',
  ],
  ...['GNU Emacs', 'emacs-gtk', 'GVim', 'Vim', 'JupyterLab', 'KRunner', 'Rofi', 'dmenu', 'wofi', 'Ulauncher', 'Albert'],
  ...['com.apple.Spotlight', 'Raycast', 'Alfred 5'],
])('N29: %s is sensitive, since programs run in it', (name) => {
  expect(sensitivity(name)).toMatch(/code editor|launcher/u);
});

test.each(['QR Code Reader', 'Barcode', 'Prince Albert Museum', 'Spotlight on Art', 'Vimeo', 'Ideas'])(
  '%s is not',
  (name) => {
    expect(sensitivity(name)).toBeUndefined();
  },
);
