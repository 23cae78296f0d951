import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { describeScreen, type Target } from '../http/attacks/target.ts';
import { openChromium } from './chromium.ts';

/** Where the target is, and an action that would run if it got through. */
type Aim = { origin: string; action: string };

const SCRIPT = readFileSync(new URL('foreign-page.js', import.meta.url), 'utf8');
const PAGE = `<!doctype html><title>foreign</title><body><script>${SCRIPT}</script></body>`;

/** Which of the perimeter's checks stops each attempt of `foreign-page.js`. */
const ATTEMPTS: [attempt: string, code: ProblemCode][] = [
  ['a fetch with JSON', 'origin_not_allowed'],
  ['a no-cors fetch with text/plain', 'origin_not_allowed'],
  ['a fetch that reads', 'origin_not_allowed'],
  ['a no-cors fetch that reads', 'cross_site_request'],
  ['a beacon', 'origin_not_allowed'],
  ['a form', 'origin_not_allowed'],
  ['an image', 'cross_site_request'],
  ['a script', 'cross_site_request'],
  ['a frame', 'cross_site_request'],
  ['an EventSource', 'origin_not_allowed'],
  ['a WebSocket', 'origin_not_allowed'],
];

/**
 * Row H7. The page comes from another port of this machine, under three names: to the browser the target is of the same
 * site as a page of 127.0.0.1, and of another site than one of localhost or evil.example.
 */
export function foreignPageAttacks(target: () => Target): void {
  let chromium: Awaited<ReturnType<typeof openChromium>>;
  let page: Page;
  let foreign: Server;
  const aim = async (origin: string): Promise<Aim> => ({ origin, action: await describeScreen(target()) });
  const ownOrigin = () => `http://127.0.0.1:${target().port}`;
  const openForeign = (name: string) => page.goto(`http://${name}:${Object(foreign.address()).port}/`);
  const expectNothingDone = async (code: ProblemCode) => {
    await expect.poll(() => target().wasCounted(code)).toBe(true);
    expect(await target().wasExecuted()).toBe(false);
  };

  beforeAll(async () => {
    chromium = await openChromium();
    page = await chromium.context.newPage();
    foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await chromium.close();
    foreign.close();
  });

  test('H7: from a page of our own the very same action is carried out', async () => {
    await page.goto(`${ownOrigin()}/docs`);
    await page.evaluate(SCRIPT);
    expect(await attempt(page, 'a fetch with JSON', await aim(ownOrigin()))).toBe('answered 200');
    expect(await target().wasExecuted()).toBe(true);
  });

  for (const name of ['127.0.0.1', 'localhost', 'evil.example']) {
    test.each(ATTEMPTS)(`H7: %s from a page of ${name} is refused`, async (title, code) => {
      const aimed = await aim(ownOrigin());
      await target().wasExecuted();
      await openForeign(name);
      expect(await attempt(page, title, aimed)).not.toMatch(/^(?:answered 2|open|loaded)/);
      await expectNothingDone(code);
    });
  }

  test('H7: a link from a foreign page to ours is refused', async () => {
    await openForeign('evil.example');
    await page.setContent(`<a href="${ownOrigin()}/docs">click</a>`);
    const [response] = await Promise.all([page.waitForEvent('response'), page.click('a')]);
    expect([response.url(), response.status()]).toEqual([`${ownOrigin()}/docs`, 403]);
    await expectNothingDone('cross_site_request');
  });

  test.each(['a fetch with JSON', 'an EventSource', 'a WebSocket'])(
    'H7: %s from a rebound name is refused',
    async (title) => {
      const origin = `http://rebound.example:${target().port}`;
      const aimed = await aim(origin);
      await target().wasExecuted();
      // The page was served while the name still led elsewhere; its later requests come to us.
      await chromium.context.route(`${origin}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: PAGE }),
      );
      await page.goto(`${origin}/page`);
      expect(await attempt(page, title, aimed)).not.toMatch(/^(?:answered 2|open|loaded)/);
      await expectNothingDone('host_not_allowed');
    },
  );
}

function attempt(page: Page, title: string, aim: Aim): Promise<string> {
  return page.evaluate<string>(`attempts[${JSON.stringify(title)}](${JSON.stringify(aim)})`);
}
