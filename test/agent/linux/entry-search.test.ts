import { describe, expect, test } from 'vitest';
import type { DesktopEntry } from '../../../agent/drivers/linux/desktop-entries.ts';
import { entryOfWindow, findEntry } from '../../../agent/drivers/linux/entry-search.ts';
import { xWindow } from './x-window.ts';

function entry(id: string, name: string, exec: string, more: Partial<DesktopEntry> = {}): DesktopEntry {
  return {
    id,
    path: `/apps/${id}.desktop`,
    name,
    names: [name],
    genericName: null,
    exec,
    tryExec: null,
    workingDirectory: null,
    icon: null,
    terminal: false,
    noDisplay: false,
    startupWmClass: null,
    categories: [],
    dbusActivatable: false,
    ...more,
  };
}

const mousepad = entry('org.xfce.mousepad', 'Mousepad', 'mousepad %U', { genericName: 'Text Editor' });
const settings = entry('org.xfce.mousepad-settings', 'Text Editor Settings', 'mousepad --preferences');
const calculator = entry('org.gnome.Calculator', 'Calculator', 'gnome-calculator', {
  names: ['Calculator', 'Taschenrechner'],
});
const xterm = entry('debian-xterm', 'XTerm', 'xterm', { startupWmClass: 'XTerm' });
const python = entry('python3.11', 'Python (v3.11)', '/usr/bin/python3.11', { noDisplay: true, terminal: true });
const writer = entry('writer', 'Office Writer', 'office --writer');
const calc = entry('calc', 'Office Sheets', 'office --calc');
const entries = [mousepad, settings, calculator, xterm, python, writer, calc];

describe('finding an app', () => {
  test.each([
    ['its name', 'Mousepad', mousepad],
    ['its name in other letters', 'mOUSEPAD', mousepad],
    ['its name in another language', 'taschenrechner', calculator],
    ['its desktop id', 'org.gnome.Calculator', calculator],
    ['its desktop file', 'org.gnome.calculator.desktop', calculator],
    ['its program', 'gnome-calculator', calculator],
    ['its exact name although it is not in menus', 'Python (v3.11)', python],
    ['its kind, when no other app is of it', 'text editor', mousepad],
    ['a word that no other app has', 'writer', writer],
    ['spacing of another kind', ' Office   Writer ', writer],
  ])('by %s', (_by, name, found) => {
    expect(findEntry(name, entries)).toEqual({ kind: 'found', entry: found });
  });

  test('a word that several apps have is ambiguous', () => {
    expect(findEntry('office', entries)).toEqual({ kind: 'ambiguous', entries: [writer, calc] });
  });

  test('a missing one comes with near names from menus only', () => {
    expect(findEntry('mousepd', entries)).toEqual({ kind: 'missing', near: ['Mousepad'] });
    expect(findEntry('pythn (v3.11)', entries)).toEqual({ kind: 'missing', near: [] });
  });
});

describe('the app of a window', () => {
  test.each([
    ['the id GTK gave it', { applicationId: 'org.gnome.Calculator' }, calculator],
    ['the class its entry promises', { className: 'XTerm', instanceName: 'xterm' }, xterm],
    ['a class that is the last part of the id', { className: 'Calculator' }, calculator],
    ['a class that is the program', { className: 'mousepad' }, mousepad],
    ['its class rather than its instance', { className: 'Mousepad', instanceName: 'xterm' }, mousepad],
    ['an instance that is the program', { className: 'Other', instanceName: 'gnome-calculator' }, calculator],
    ['a class nobody knows', { className: 'Gimp' }, null],
    ['no class', {}, null],
  ])('is known by %s', (_by, properties, found) => {
    expect(entryOfWindow(xWindow(properties), entries)).toEqual(found);
  });
});
