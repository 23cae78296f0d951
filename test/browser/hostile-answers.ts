import type { Page, Route } from 'playwright';
import { newGrant, newInsight } from './made-up.ts';

/** Markup, an override that turns the line around, a zero-width character, a line break, and a word without an end. */
export const HOSTILE = `<img src=x onerror="document.title='hacked'"></p>\u202e\u200bevil\n${'W'.repeat(300)}`;

/** Members of answers that hold words of a requester, an app, a window, a grant, a session or the system. */
const WORDS = new Set([
  ...['userId', 'name', 'hostname', 'program', 'path', 'script', 'device', 'sentence', 'window', 'reason', 'literal'],
  ...[
    'grant',
    'history',
    'changes',
    'arguments',
    'message',
    'fix',
    'details',
    'detail',
    'title',
    'pausedBecause',
    'rule',
  ],
]);
const NOT_OURS = /\/(action-types|profiles|about|settings|session|session\/code|events|picture)$|\/artifacts\//;

/** From now on every answer that the page gets has hostile words in place of those that come from outside. */
export async function makeAnswersHostile(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/api/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (NOT_OURS.test(pathname)) return route.continue();
    await answerHostile(route, pathname);
  });
}

async function answerHostile(route: Route, pathname: string): Promise<void> {
  const response = await route.fetch();
  if (!response.ok() || response.status() === 204) return route.fulfill({ response });
  const answer: unknown = await response.json();
  await route.fulfill({ response, json: withHostileWords(withMore(answer, pathname)) });
}

/** A grant and an insight take a while to come about, so they are made up. */
function withMore(answer: unknown, pathname: string): unknown {
  if (pathname.endsWith('/grants')) return { ...Object(answer), items: [newGrant({})] };
  if (!pathname.endsWith('/dashboard')) return answer;
  const insight = { ...newInsight('ins_1'), status: 'open', evidence: ['act_01J00000000000000000000000'] };
  return { ...Object(answer), insights: [{ ...insight, action: STEP }] };
}

const STEP = { kind: 'pause_requester', label: 'Pause', target: HOSTILE };

function withHostileWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHostileWords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && WORDS.has(key) ? HOSTILE : withHostileWords(inner),
    ]),
  );
}

/** Texts and attributes of the page in which something is invisible or turns the line around. */
export function invisibleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
    const own = (element: Element) =>
      [...element.childNodes].flatMap((node) => (node instanceof Text ? `${element.className}: ${node.data}` : []));
    const attributes = (element: Element) =>
      [...element.attributes]
        .filter(({ name }) => name !== 'href' && name !== 'value')
        .map(({ name, value }) => `${element.className} ${name}: ${value}`);
    return [...document.body.querySelectorAll('*')]
      .flatMap((element) => [...own(element), ...attributes(element)])
      .filter((text) => invisible.test(text))
      .map((text) => text.slice(0, 120));
  });
}
