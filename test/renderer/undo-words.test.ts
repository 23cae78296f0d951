import { expect, test } from 'vitest';
import { canUndo, undoGone, undoHint } from '../../renderer/src/activity/UndoButton.tsx';

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const UNDO = { path: '/home/ann/notes.txt', isFolder: false, until: new Date(NOW_MS + 3_600_000).toISOString() };

test('the hint of an overwritten file names the limits of the kept copies', () => {
  const hint = undoHint({ ...UNDO, kind: 'overwritten' }, NOW_MS);
  expect(hint).toMatch(/^The former version replaces the one that the action wrote\. .* You can do this until .+,/);
  expect(hint).toContain(
    'unless newer copies need the room: Handrail keeps at most 1 GiB and 1,000 former versions, and removes the oldest of the requester that uses the most.',
  );
});

test('the hint of a file in the trash says that it must still be there', () => {
  const hint = undoHint({ ...UNDO, kind: 'trashed' }, NOW_MS);
  expect(hint).toMatch(/^The file moves from the trash to its former place/);
  expect(hint).toMatch(/unless the trash is emptied\.$/);
});

test('an action whose former version was removed early says that and why, and has no button', () => {
  const { until: _until, ...file } = UNDO;
  const undo = {
    ...file,
    kind: 'overwritten' as const,
    formerRemovedAt: new Date(2026, 10, 22, 11, 5, 9).toISOString(),
  };
  expect(canUndo(undo, NOW_MS)).toBe(false);
  expect(undoGone(undo, new Date(2026, 10, 22, 12).getTime())).toBe(
    'This cannot be undone any longer: Handrail keeps at most 1 GiB and 1,000 former versions, and removed the former version of this file (11:05:09) to make room for newer ones.',
  );
});

test('an action that can be undone, was undone or left nothing to undo has no such sentence', () => {
  const { until: _until, ...file } = UNDO;
  const undone = { ...file, kind: 'overwritten' as const, undoneAt: UNDO.until };
  expect([undefined, { ...UNDO, kind: 'overwritten' as const }, undone].map((undo) => undoGone(undo, NOW_MS))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
