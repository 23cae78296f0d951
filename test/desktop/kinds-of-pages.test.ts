import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScreenDescription } from '../../src/contract/screen.ts';
import { openWindow } from '../browser/chromium.ts';
import { shareDriver } from './share-rig.ts';

/** Pages of many kinds in a real Chromium: what a person sees is told, or a line says that it is missing. */
const { rig, driver } = await shareDriver({ width: 1280, height: 800 });
let window: Awaited<ReturnType<typeof openWindow>>;
let port = 0;

/** A sheet whose words Chromium shows and does not tell, as it does with one that was scanned. */
const SHEET = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R>>endobj
4 0 obj<</Length 23>>stream
0 0 0 rg 30 30 90 90 re f
endstream endobj
trailer<</Root 1 0 R>>`;
const PAGES: Readonly<Record<string, string>> = {
  frame: '<title>Outer</title><h1>Outer words</h1><iframe src="http://localhost:PORT/inner" width="400"></iframe>',
  inner: '<p>Inner words</p><button>Inner button</button>',
  shadow:
    '<title>Shadow</title><div id="host"></div><script>host.attachShadow({mode:"closed"}).innerHTML="<button>Shadow button</button>"</script>',
  canvas:
    '<title>Canvas</title><h1>Beside it</h1><canvas id="c" width="400"></canvas><script>c.getContext("2d").fillText("Painted",9,80)</script>',
  slow: '<title>Slow</title><h1>First words</h1>',
};
const server = createServer((request, answer) => {
  const name = (request.url ?? '/').slice(1);
  answer.setHeader('content-type', name === 'sheet' ? 'application/pdf' : 'text/html');
  const body = name === 'sheet' ? SHEET : (PAGES[name] ?? '').replace('PORT', String(port));
  // A page that never comes to its end.
  if (name === 'slow') answer.write(body);
  else answer.end(body);
});

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, ready));
  port = Object(server.address()).port;
  window = await openWindow(rig.env);
});
afterAll(async () => {
  await window?.close();
  server.closeAllConnections();
  server.close();
});

async function look(): Promise<ScreenDescription> {
  const attempt = { signal: new AbortController().signal, deadlineMs: 60_000 };
  const outcome = await driver.describeScreen({ contents: true }, attempt);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data;
}

test.each([
  ['frame', ['Outer words', 'Inner words', 'Inner button'], []],
  ['shadow', ['Shadow button'], []],
  ['slow', ['First words'], []],
  ['canvas', ['Beside it'], ['drawn']],
  ['sheet', ['Page 1'], ['drawn']],
] as const)(
  'what a page of the kind %s shows is told, or missing by name',
  { timeout: 120_000 },
  async (kind, words, missing) => {
    await window.page.goto(`http://127.0.0.1:${port}/${kind}`, { waitUntil: 'commit' });
    const screen = await rig.until('the page is told', async () => {
      const seen = await look();
      return words.every((word) => seen.elements.some(({ name }) => name === word)) ? seen : undefined;
    });
    expect(screen.degradedReasons.map(({ code }) => code)).toEqual(missing);
    expect(screen.complete).toBe(missing.length === 0);
    expect(screen.elements.flatMap((element) => element.missing ?? [])).toEqual(missing);
  },
);

test('a page behind another window is told, also when it changes there, and is listed behind that window', async () => {
  await window.page.goto(`http://127.0.0.1:${port}/shadow`);
  await rig.open('mousepad');
  const windows = await rig.ask('xdotool', 'search', '--sync', '--onlyvisible', '--class', 'mousepad');
  for (const id of windows.trim().split('\n'))
    await rig.ask('xdotool', 'windowmove', '--sync', id, '0', '0', 'windowsize', id, '1280', '800', 'windowraise', id);
  const told = async (word: string) => {
    const screen = await look();
    return screen.elements.some(({ name }) => name === word) ? screen : undefined;
  };
  await rig.until('the page is told', () => told('Shadow button'));
  await window.page.goto(`http://127.0.0.1:${port}/frame`);
  const screen = await rig.until('the page that came behind the window is told, and its title', async () => {
    const seen = await told('Inner button');
    return seen?.windows.some(({ title }) => title === 'Outer - Chromium') ? seen : undefined;
  });
  expect(screen.windows.map(({ title }) => title)).toEqual([expect.stringMatching(/Mousepad/u), 'Outer - Chromium']);
  expect(screen.elements.some(({ name }) => name === 'Shadow button')).toBe(false);
  expect([screen.complete, screen.degradedReasons]).toEqual([true, []]);
}, 120_000);
