import { useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** Cancels an action that has not ended. A second click while the first is on its way does nothing. */
export function CancelButton({
  action: { actionId },
  model,
}: {
  action: Pick<Action, 'actionId'>;
  model: DashboardModel;
}) {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    if (isBusy) return;
    setBusy(true);
    await model.act(model.client.cancelAction(actionId), 'The action is being cancelled.');
    setBusy(false);
  };
  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void cancel()}>
      Cancel the action
    </button>
  );
}
