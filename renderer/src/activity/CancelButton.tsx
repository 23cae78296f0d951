import { useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { Room } from '../room.ts';

/** Cancels an action that has not ended. A second click while the first is on its way does nothing. */
export function CancelButton({ action: { actionId }, room }: { action: Pick<Action, 'actionId'>; room: Room }) {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    if (isBusy) return;
    setBusy(true);
    await room.act(room.client.cancelAction(actionId), 'The action is being cancelled.');
    setBusy(false);
  };
  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void cancel()}>
      Cancel the action
    </button>
  );
}
