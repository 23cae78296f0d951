import { expect, test } from 'vitest';
import { newestPages } from '../../renderer/src/activity/newest-pages.ts';
import type { Reply } from '../../src/client/call.ts';
import type { Task } from '../../src/contract/task.ts';
import { newTask } from '../browser/made-up.ts';

type TaskPage = { items: Task[]; nextCursor: string | null };

const PAGES: Record<string, TaskPage> = {
  newest: { items: [newTask({ taskId: 'tsk_4' }), newTask({ taskId: 'tsk_3' })], nextCursor: 'older' },
  older: { items: [newTask({ taskId: 'tsk_2' })], nextCursor: 'oldest' },
  oldest: { items: [newTask({ taskId: 'tsk_1' })], nextCursor: null },
};

const failed: Reply<TaskPage> = { ok: false, failure: { code: 'unreachable', detail: 'Handrail does not answer.' } };

/** The pages above without the missing one, and the cursors that were asked for. */
function threePages(missing = 'none') {
  const asked: (string | undefined)[] = [];
  const load = async (cursor: string | undefined): Promise<Reply<TaskPage>> => {
    asked.push(cursor);
    const value = PAGES[cursor ?? 'newest'];
    return value === undefined || cursor === missing ? failed : { ok: true, value };
  };
  return { asked, load };
}

const idsOf = (reply: Awaited<ReturnType<typeof newestPages<Task>>>) =>
  reply.ok ? reply.value.items.map(({ taskId }) => taskId) : reply.failure.code;

test('one page holds the newest tasks, and says that there are older ones', async () => {
  const { asked, load } = threePages();
  const reply = await newestPages(load, 1);
  expect(idsOf(reply)).toEqual(['tsk_4', 'tsk_3']);
  expect(reply).toMatchObject({ value: { hasOlder: true } });
  expect(asked).toEqual([undefined]);
});

test('each further page begins where the one before ended', async () => {
  const { asked, load } = threePages();
  const reply = await newestPages(load, 2);
  expect(idsOf(reply)).toEqual(['tsk_4', 'tsk_3', 'tsk_2']);
  expect(reply).toMatchObject({ value: { hasOlder: true } });
  expect(asked).toEqual([undefined, 'older']);
});

test('nothing is asked for after the last page', async () => {
  const { asked, load } = threePages();
  const reply = await newestPages(load, 9);
  expect(idsOf(reply)).toEqual(['tsk_4', 'tsk_3', 'tsk_2', 'tsk_1']);
  expect(reply).toMatchObject({ value: { hasOlder: false } });
  expect(asked).toEqual([undefined, 'older', 'oldest']);
});

test('a page that cannot be loaded is the failure of all of them', async () => {
  const { load } = threePages('older');
  expect(idsOf(await newestPages(load, 3))).toBe('unreachable');
});
