import { useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { FileUndo } from '../../../src/contract/files.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../visible-text.ts';
import { canUndo } from './undo-words.ts';

type Props = {
  action: Pick<Action, 'actionId'> & { undo?: FileUndo | undefined };
  model: DashboardModel;
  now: number;
};

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
