import { expect, test } from 'vitest';
import type { Sighting } from '../../../agent/drivers/input.ts';
import { isOwnPlace } from '../../../agent/targets/own-pages.ts';

const PORT = '3001';
const BROWSER: Sighting = {
  app: { appName: 'Chromium Web Browser', alsoKnownAs: ['chromium'], risks: [] },
  pid: 7_000_000,
  windowId: '0x1',
  windowTitle: 'A shop - Chromium',
  windowBounds: null,
  isCovered: false,
  element: null,
  pages: ['http://shop.example/'],
  pagesBeside: [],
};

const TOOLS = 'devtools://devtools/bundled/devtools_app.html?remoteBase=x';

test.each<[string, Partial<Sighting>]>([
  ['its page', { pages: ['http://127.0.0.1:3001/#/activity'] }],
  ['its page under another name of this machine', { pages: ['http://handrail.test:3001/'] }],
  ['its page in an iframe of another', { pages: ['http://shop.example/', 'http://127.0.0.1:3001/'] }],
  ['the source of its page', { pages: ['view-source:http://127.0.0.1:3001/'] }],
  ['the address bar above its page', { pages: [], pagesBeside: ['http://127.0.0.1:3001/'] }],
  ['developer tools beside its page', { pages: [TOOLS], pagesBeside: [TOOLS, 'http://127.0.0.1:3001/'] }],
  [
    'developer tools of its page in a window of their own',
    { pages: [TOOLS], windowTitle: 'DevTools - 127.0.0.1:3001/' },
  ],
  ['its page by its title alone', { pages: [], windowTitle: 'Handrail · Overview - Chromium' }],
  ['its page with a prompt, by its title alone', { pages: [], windowTitle: '(1) Handrail · Activity - Chromium' }],
  ['its sign-in, by its title alone', { pages: [], windowTitle: 'Sign in – Handrail - Chromium' }],
  ['the page of another daemon', { pages: ['http://localhost:4000/'], windowTitle: 'Handrail · Overview - Chromium' }],
])('%s is Handrail itself', (_what, seen) => {
  expect(isOwnPlace({ ...BROWSER, ...seen }, PORT)).toBe(true);
});

test.each<[string, Partial<Sighting>]>([
  ['a page of somebody else', {}],
  ['developer tools of another page', { pages: [TOOLS], windowTitle: 'DevTools - shop.example/' }],
  ['a page that speaks of Handrail', { pages: [], windowTitle: 'How a Handrail is mounted - Chromium' }],
  ['a page elsewhere with the same title', { windowTitle: 'Handrail · Overview - Chromium' }],
  ['an editor with a text about it', { ...editor(), windowTitle: 'Handrail · notes' }],
])('%s is not', (_what, seen) => {
  expect(isOwnPlace({ ...BROWSER, ...seen }, PORT)).toBe(false);
});

function editor(): Partial<Sighting> {
  return { app: { appName: 'Mousepad', alsoKnownAs: ['mousepad'], risks: [] }, pages: [] };
}
