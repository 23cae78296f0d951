import { expect, test } from 'vitest';
import { createRefs, elementIdOf, foundBy, refsFor, wordsOf } from '../../../agent/screen-text/refs.ts';
import type { ScreenElement } from '../../../src/contract/screen.ts';

const element = (id: string, name: string): ScreenElement => ({
  id,
  role: 'button',
  name,
  bounds: null,
  enabled: true,
  focused: false,
  actions: [],
  windowId: null,
  parentId: null,
  depth: 0,
});

test('a reference leads to its element, while the element is there with the same name', () => {
  const refs = createRefs();
  refs.renew([element('bus/a', 'Save'), element('bus/b', 'Send')]);
  const [save, send] = [`@${refs.of('bus/a')}`, `@${refs.of('bus/b')}`];
  expect([elementIdOf(save, refs), elementIdOf(send, refs)]).toEqual(['bus/a', 'bus/b']);
  refs.renew([]);
  expect(elementIdOf(send, refs)).toBe('bus/b');
  refs.renew([element('bus/a', 'Delete'), element('bus/b', 'Send')]);
  const changed = foundBy(save, refs);
  expect(changed && wordsOf(save, changed)).toBe('@1, button "Save", is gone: button "Delete" is in its place.');
  expect([elementIdOf(save, refs), elementIdOf(send, refs)]).toEqual([save, 'bus/b']);
});

test('each requester has its own table: a number of another one leads nowhere, and tells nothing of what that one saw', () => {
  const ofAnn = refsFor({ requester: 'ann' });
  ofAnn.renew([element('bus/a', 'Salary.pdf')]);
  const written = `@${ofAnn.of('bus/a')}`;
  const forBob = foundBy(written, refsFor({ requester: 'bob' }));
  expect(forBob && wordsOf(written, forBob)).toBe('@1 was never given.');
  refsFor({ requester: 'bob' }).renew([element('bus/a', 'Delete')]);
  expect(elementIdOf(written, refsFor({ requester: 'ann' }))).toBe('bus/a');
});

test.each(['@', '@0', '@99', '@-1', '@1x', '@99999999999', 'bus/a', ''])(
  '%j is no reference that was given',
  (text) => {
    const refs = createRefs();
    refs.renew([element('bus/a', 'Save')]);
    refs.of('bus/a');
    expect(elementIdOf(text, refs)).toBe(text);
  },
);
