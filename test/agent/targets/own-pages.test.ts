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
  documents: ['http://shop.example/'],
  pagesBeside: [],
};

const TOOLS = 'devtools://devtools/bundled/devtools_app.html?remoteBase=x';

test.each<[string, Partial<Sighting>]>([
  ['its page', { documents: ['http://127.0.0.1:3001/#/activity'] }],
  ['its page under another name of this machine', { documents: ['http://handrail.test:3001/'] }],
  ['its page in an iframe of another', { documents: ['http://shop.example/', 'http://127.0.0.1:3001/'] }],
  ['the source of its page', { documents: ['view-source:http://127.0.0.1:3001/'] }],
  ['the address bar above its page', { documents: [], pagesBeside: ['http://127.0.0.1:3001/'] }],
  ['developer tools beside its page', { documents: [TOOLS], pagesBeside: [TOOLS, 'http://127.0.0.1:3001/'] }],
  [
    'developer tools of its page in a window of their own',
    { documents: [TOOLS], windowTitle: 'DevTools - 127.0.0.1:3001/' },
  ],
  ['its page by its title alone', { documents: [], windowTitle: 'Handrail · Overview - Chromium' }],
  ['its page with a prompt, by its title alone', { documents: [], windowTitle: '(1) Handrail · Activity - Chromium' }],
  ['its sign-in, by its title alone', { documents: [], windowTitle: 'Sign in – Handrail - Chromium' }],
  [
    'the page of another daemon',
    { documents: ['http://localhost:4000/'], windowTitle: 'Handrail · Overview - Chromium' },
  ],
])('%s is Handrail itself', (_what, seen) => {
  expect(isOwnPlace({ ...BROWSER, ...seen }, PORT)).toBe(true);
});

test.each<[string, Partial<Sighting>]>([
  ['a page of somebody else', {}],
  ['developer tools of another page', { documents: [TOOLS], windowTitle: 'DevTools - shop.example/' }],
  ['a page that speaks of Handrail', { documents: [], windowTitle: 'How a Handrail is mounted - Chromium' }],
  ['a page elsewhere with the same title', { windowTitle: 'Handrail · Overview - Chromium' }],
  ['an editor with a text about it', { ...editor(), windowTitle: 'Handrail · notes' }],
])('%s is not', (_what, seen) => {
  expect(isOwnPlace({ ...BROWSER, ...seen }, PORT)).toBe(false);
});

function editor(): Partial<Sighting> {
  return { app: { appName: 'Mousepad', alsoKnownAs: ['mousepad'], risks: [] }, documents: [] };
}
