import { expect, test } from 'vitest';
import { readPage } from '../../../src/services/work/pages.ts';
import { createFakeClock } from '../fake-clock.ts';
import { parsedPage } from '../page-items.ts';

const ROWS = Array.from({ length: 130 }, (_, index) => ({ id: `act_${String(130 - index).padStart(26, '0')}` }));
const MEBIBYTE = 1024 * 1024;

function createList(view: (row: { id: string }) => unknown, { clock = createFakeClock(), pause }: Options = {}) {
  const read = (beforeId: string, limit: number) => ROWS.filter(({ id }) => id < beforeId).slice(0, limit);
  return (limit: number, cursor?: string) => parsedPage(readPage({ clock }, { limit, cursor }, { read, view, pause }));
}

type Options = { clock?: ReturnType<typeof createFakeClock>; pause?: () => Promise<void> };

/** The sizes of the pages one after the other, and all that was in them. */
async function walk(list: ReturnType<typeof createList>, limit: number) {
  const sizes: number[] = [];
  const all: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await list(limit, cursor);
    sizes.push(items.length);
    all.push(...items);
    if (nextCursor === null) return { sizes, all };
    cursor = nextCursor;
  }
}

test.each([
  [500, [130]],
  [131, [130]],
  [130, [130]],
  [129, [129, 1]],
  [65, [65, 65]],
  [50, [50, 50, 30]],
  [10, Array.from({ length: 13 }, () => 10)],
])('a list is read page by page to its end with a limit of %i', async (limit, sizes) => {
  expect(
    await walk(
      createList((row) => row),
      limit,
    ),
  ).toEqual({ sizes, all: ROWS });
});

test('a page ends where more would be too much at once, and the next one goes on there', async () => {
  const list = createList((row) => ({ ...row, text: 'x'.repeat(MEBIBYTE) }));
  const { sizes, all } = await walk(list, 500);
  expect(new Set(sizes.slice(0, -1))).toEqual(new Set([3]));
  expect(all).toMatchObject(ROWS);
});

test('an item that is too much by itself is a page of its own', async () => {
  const list = createList((row) => ({ ...row, text: 'x'.repeat(5 * MEBIBYTE) }));
  expect(await list(10)).toMatchObject({ items: [ROWS[0]], nextCursor: expect.any(String) });
});

test('each item becomes JSON once', async () => {
  let count = 0;
  const toJSON = () => {
    count += 1;
    return 'item';
  };
  const { items } = await createList(() => ({ toJSON }))(100);
  expect([items.length, count]).toEqual([100, 100]);
});

test('a page that takes long lets other calls be served every 5 ms', async () => {
  const clock = createFakeClock();
  const pausedAfterMs: number[] = [];
  const pause = async () => void pausedAfterMs.push(clock.monotonicMs());
  const view = (row: { id: string }) => {
    clock.advance(2);
    return row;
  };
  expect(await createList(view, { clock, pause })(10)).toMatchObject({ items: ROWS.slice(0, 10) });
  expect(pausedAfterMs).toEqual([6, 12, 18]);
});

test('a page that takes less than 5 ms is built without a pause', async () => {
  const clock = createFakeClock();
  const pauses: string[] = [];
  const pause = async () => void pauses.push('pause');
  const view = (row: { id: string }) => {
    clock.advance(0.049);
    return row;
  };
  await createList(view, { clock, pause })(100);
  expect(pauses).toEqual([]);
});
