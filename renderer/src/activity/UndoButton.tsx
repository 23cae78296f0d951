import { useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { FileUndo } from '../../../src/contract/files.ts';
import { UNDO_WORDS } from '../../../src/contract/times.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../visible-text.ts';
import { momentWords } from './activity-words.ts';

type Props = {
  action: Pick<Action, 'actionId'> & { undo?: FileUndo | undefined };
  model: DashboardModel;
  now: number;
};

/** Whether the person can still put the file of an action back. */
export function canUndo(
  undo: FileUndo | undefined,
  nowMs: number,
): undo is FileUndo & Required<Pick<FileUndo, 'until'>> {
  return undo?.until !== undefined && nowMs < Date.parse(undo.until);
}

/** Says that the file cannot be put back and why, where the copy of its former version was removed early. */
export function undoGone(undo: FileUndo | undefined, nowMs: number): string | undefined {
  if (undo?.formerRemovedAt === undefined) return undefined;
  const at = momentWords(undo.formerRemovedAt, nowMs);
  return `This cannot be undone any longer: Handrail keeps at most ${UNDO_WORDS.quota}, and removed the former version of this file (${at}) to make room for newer ones.`;
}

/** Says how an undo changes the file, and until when it is possible. */
export function undoHint(undo: FileUndo & Required<Pick<FileUndo, 'until'>>, nowMs: number): string {
  const what = {
    overwritten:
      'The former version replaces the one that the action wrote. A file that was changed since then stays as it is.',
    trashed: `The ${undo.isFolder ? 'folder' : 'file'} moves from the trash to its former place, if nothing else is there now.`,
  }[undo.kind];
  const unless = {
    overwritten: `, unless newer copies need the room: Handrail keeps at most ${UNDO_WORDS.quota}, and removes the oldest of the requester that uses the most`,
    trashed: ', unless the trash is emptied',
  }[undo.kind];
  return `${what} You can do this until ${momentWords(undo.until, nowMs)}${unless}.`;
}

/** Puts back the file that an action overwrote or moved to the trash, as long as that is possible. */
export function UndoButton({ action: { actionId, undo }, model, now }: Props) {
  const [isBusy, setBusy] = useState(false);
  if (!canUndo(undo, now)) return null;
  const what = undo.isFolder ? 'folder' : 'file';
  const putBack = async () => {
    if (isBusy) return;
    setBusy(true);
    await model.act(model.client.undoAction(actionId), `The ${what} is back: ${visibleText(undo.path)}`);
    setBusy(false);
  };
  return (
    <button
      type="button"
      className="put-back"
      aria-disabled={isBusy}
      aria-label={`Put the ${what} back: ${visibleText(undo.path)}`}
      onClick={() => void putBack()}
    >
      Put the {what} back
    </button>
  );
}
