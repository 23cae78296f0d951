import { expect, test } from 'vitest';
import { readPage } from '../../src/services/pages.ts';
import { isRefusal } from '../../src/services/refusal.ts';

const ROWS = Array.from({ length: 130 }, (_, index) => ({ id: `act_${String(130 - index).padStart(26, '0')}` }));
const MEBIBYTE = 1024 * 1024;

function createList(view: (row: { id: string }) => unknown) {
  const read = (beforeId: string, limit: number) => ROWS.filter(({ id }) => id < beforeId).slice(0, limit);
  return (limit: number, cursor?: string) => {
    const page = readPage({ limit, ...(cursor !== undefined && { cursor }) }, { read, view });
    if (isRefusal(page)) throw new Error(page.detail);
    return page;
  };
}

/** The sizes of the pages one after the other, and all that was in them. */
function walk(list: ReturnType<typeof createList>, limit: number) {
  const sizes: number[] = [];
  const all: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = list(limit, cursor);
    sizes.push(items.length);
    all.push(...items);
    if (nextCursor === null) return { sizes, all };
    cursor = nextCursor;
  }
}

test('a list is read page by page to its end, whatever the limit', () => {
  const list = createList((row) => row);
  for (const [limit, sizes] of [
    [500, [130]],
    [130, [130]],
    [65, [65, 65]],
    [50, [50, 50, 30]],
  ] as const)
    expect(walk(list, limit)).toEqual({ sizes, all: ROWS });
});

test('a page ends where more would be too much at once, and the next one goes on there', () => {
  const list = createList((row) => ({ ...row, text: 'x'.repeat(MEBIBYTE) }));
  const { sizes, all } = walk(list, 500);
  expect(new Set(sizes.slice(0, -1))).toEqual(new Set([3]));
  expect(all).toMatchObject(ROWS);
});

test('what is too much by itself is a page of its own', () => {
  const list = createList((row) => ({ ...row, text: 'x'.repeat(5 * MEBIBYTE) }));
  expect(list(10)).toMatchObject({ items: [ROWS[0]], nextCursor: expect.any(String) });
});
