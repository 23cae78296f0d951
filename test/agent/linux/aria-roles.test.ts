import { expect, test } from 'vitest';
import { ariaRoleOf, PASSWORD_ROLE } from '../../../agent/drivers/linux/aria-roles.ts';

test.each([
  ['a push button', 43, { role: 'button', kind: 'control' }],
  ['a menu in a menu bar', 33, { role: 'menuitem', kind: 'control' }],
  ['a menu bar', 34, { role: 'menubar', kind: 'structure' }],
  ['a page tab', 37, { role: 'tab', kind: 'control' }],
  ['an entry', 79, { role: 'textbox', kind: 'control' }],
  ['a password field', PASSWORD_ROLE, { role: 'textbox', kind: 'control' }],
  ['a switch', 130, { role: 'switch', kind: 'control' }],
  ['a frame', 23, { role: 'window', kind: 'structure' }],
  ['a label', 29, { role: 'paragraph', kind: 'content' }],
  ['a list row', 32, { role: 'listitem', kind: 'content' }],
  ['a table cell', 56, { role: 'cell', kind: 'content' }],
  ['a web page', 95, { role: 'document', kind: 'content' }],
  ['a filler', 20, { role: 'generic', kind: 'transparent' }],
  ['a role nobody knows yet', 9_999, { role: 'generic', kind: 'transparent' }],
])('%s has its ARIA role and its kind', (_what, number, expected) => {
  expect(ariaRoleOf(number)).toEqual(expected);
});

/** The roles of WAI-ARIA 1.3 that a person can meet on a screen, and `window`, which it has as an abstract role. */
const ARIA = new Set(
  `alert alertdialog article blockquote button caption cell checkbox columnheader combobox comment definition dialog document
  form generic grid heading img link list listbox listitem log mark marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter note paragraph progressbar radio region row rowheader slider spinbutton status suggestion switch tab
  table tablist term textbox timer toolbar tooltip tree treegrid treeitem window`.split(/\s+/),
);

test('every role is one that ARIA knows', () => {
  const roles = Array.from({ length: 140 }, (_, number) => ariaRoleOf(number).role);
  expect(roles.filter((role) => !ARIA.has(role))).toEqual([]);
});
