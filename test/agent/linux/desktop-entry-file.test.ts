import { expect, test } from 'vitest';
import { parseDesktopEntry } from '../../../agent/drivers/linux/desktop-entries.ts';

const CALCULATOR = `# a comment
[Desktop Entry]
Name=Calculator
Name[de]=Taschenrechner
Name[de_AT]=Rechner
Name[sr@latin]=Kalkulator
GenericName=Sums
Exec=gnome-calculator %U
TryExec=gnome-calculator
Path=/srv
Icon=org.gnome.Calculator
Terminal=false
Type=Application
StartupWMClass=Calc
DBusActivatable=true

[Desktop Action preferences]
Name=Preferences
Exec=gnome-calculator --preferences
`;

function parse(text: string, locale = 'C') {
  return parseDesktopEntry({ id: 'org.gnome.Calculator', path: '/p', text }, locale);
}

test('reads an application, and only its main group', () => {
  expect(parse(CALCULATOR)).toEqual({
    kind: 'application',
    entry: {
      id: 'org.gnome.Calculator',
      path: '/p',
      name: 'Calculator',
      names: ['Calculator', 'Taschenrechner', 'Rechner', 'Kalkulator'],
      genericName: 'Sums',
      exec: 'gnome-calculator %U',
      tryExec: 'gnome-calculator',
      workingDirectory: '/srv',
      icon: 'org.gnome.Calculator',
      terminal: false,
      noDisplay: false,
      startupWmClass: 'Calc',
      categories: [],
      dbusActivatable: true,
    },
  });
});

test.each([
  ['de_AT.UTF-8', 'Rechner'],
  ['de_DE.UTF-8', 'Taschenrechner'],
  ['de', 'Taschenrechner'],
  ['sr_RS@latin', 'Kalkulator'],
  ['sr_RS', 'Calculator'],
  ['C.UTF-8', 'Calculator'],
  ['', 'Calculator'],
])('in the locale %j the name is %s', (locale, name) => {
  expect(parse(CALCULATOR, locale)).toMatchObject({ entry: { name } });
});

test('resolves escapes, and keeps the first of a key given twice', () => {
  const text = '[Desktop Entry]\nType=Application\nName = a\\sb\\\\c \nName=second\nExec=run\r\n';
  expect(parse(text)).toMatchObject({ entry: { name: 'a b\\c', exec: 'run' } });
});

test('an entry that is hidden takes away the one it stands before', () => {
  expect(parse('[Desktop Entry]\nType=Application\nName=a\nExec=a\nHidden=true')).toEqual({ kind: 'removed' });
});

test.each([
  ['a link', '[Desktop Entry]\nType=Link\nName=a\nURL=x'],
  ['an application that cannot be started', '[Desktop Entry]\nType=Application\nName=a'],
  ['an application without a name', '[Desktop Entry]\nType=Application\nExec=a'],
  ['a file of another kind', '\u0000\u0001'],
  ['nothing', ''],
])('%s is no application', (_what, text) => {
  expect(parse(text)).toEqual({ kind: 'other' });
});

test('an application that is only activated over D-Bus needs no command', () => {
  const text = '[Desktop Entry]\nType=Application\nName=a\nDBusActivatable=true';
  expect(parse(text)).toMatchObject({ kind: 'application', entry: { exec: null, dbusActivatable: true } });
});
