import { expect, test } from 'vitest';
import { nodeOfCacheItem, refOf, textOf } from '../../../agent/drivers/linux/accessible-node.ts';

const FOCUSED_AND_SHOWING = (1 << 12) | (1 << 25) | (1 << 24);
const app = [':1.7', '/org/a11y/atspi/accessible/root'];

test('reads an item of a cache in its present form', () => {
  const interfaces = ['org.a11y.atspi.Accessible', 'org.a11y.atspi.Action'];
  const states = [FOCUSED_AND_SHOWING, 1];
  const item = [[':1.7', '/a/5'], app, [':1.7', '/a/2'], 3, 4, interfaces, ' Save\n as ', 43, 'Saves it', states];
  expect(nodeOfCacheItem(item)).toEqual({
    ref: { bus: ':1.7', path: '/a/5' },
    parentPath: '/a/2',
    index: 3,
    childCount: 4,
    interfaces: new Set(['Accessible', 'Action']),
    name: 'Save as',
    description: 'Saves it',
    atspiRole: 43,
    aria: { role: 'button', kind: 'control' },
    isPassword: false,
    states: {
      checked: false,
      enabled: true,
      focused: true,
      editable: false,
      indeterminate: true,
      isDefault: false,
      managesDescendants: false,
      multiLine: false,
      pressed: false,
      selected: false,
      showing: true,
      visible: false,
    },
  });
});

test('reads an item in the form that lists the children', () => {
  const children = [
    [':1.7', '/a/6'],
    [':1.7', '/a/8'],
  ];
  const item = [[':1.7', '/a/5'], app, [':1.7', '/a/2'], children, [], 'Menu', 33, '', [0, 0]];
  expect(nodeOfCacheItem(item)).toMatchObject({ parentPath: '/a/2', childCount: 2, index: -1, name: 'Menu' });
});

test('knows a password field', () => {
  const item = [[':1.7', '/a/5'], app, [':1.7', '/a/2'], 0, 0, [], '', 40, '', [0, 0]];
  expect(nodeOfCacheItem(item)).toMatchObject({ isPassword: true, aria: { role: 'textbox' } });
});

test.each([null, 7, [], [7], [[':1.7', '/org/a11y/atspi/null'], app, app, 0, 0, [], '', 0, '', []]])(
  'takes %j for nothing',
  (item) => {
    expect(nodeOfCacheItem(item)).toBeNull();
  },
);

test('the null object of AT-SPI leads nowhere', () => {
  expect(refOf(['', '/org/a11y/atspi/null'])).toBeNull();
});

test('a label longer than any label is cut', () => {
  expect(textOf('x'.repeat(600))).toBe(`${'x'.repeat(500)}…`);
});
