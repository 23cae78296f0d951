import { expect, test } from 'vitest';
import { endOfTask, progressWords } from '../../renderer/src/activity/task-words.ts';
import type { Task } from '../../src/contract/task.ts';

function ended(status: Task['status'], byStatus: Task['progress']['byStatus']) {
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const task = { status, progress: { done: total, total, byStatus } };
  return [endOfTask(task), progressWords(task)];
}

test('the progress of a task counts the steps that were done, not those that ended in another way', () => {
  expect(ended('success', { success: 3 })).toEqual(['success', 'All 3 steps done']);
  expect(ended('success', { success: 1 })).toEqual(['success', 'Its one step is done']);
  expect(ended('failed', { success: 2, failed: 1, skipped: 1 })).toEqual(['failed', '2 of 4 steps done']);
});

test('a task whose plan expired or was denied is not called failed', () => {
  expect(ended('failed', { expired: 12 })).toEqual(['expired', '0 of 12 steps done']);
  expect(ended('failed', { success: 3, denied: 1 })).toEqual(['denied', '3 of 4 steps done']);
  expect(ended('failed', { denied: 1, unknown: 1 })).toEqual(['failed', '0 of 2 steps done']);
});
