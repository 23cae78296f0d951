import type { QueuedConfirmation } from '../../../src/contract/console.ts';
import type { DashboardModel } from '../dashboard-model.ts';

type Props = { waiting: readonly QueuedConfirmation[]; model: DashboardModel };

/** Denies at once everything that requesters ask for with whom the person has never dealt: any program can make up many ids. */
export function Strangers({ waiting, model: { client, act } }: Props) {
  const count = waiting.filter(({ prompt }) => prompt.requester.isStranger === true).length;
  if (count < 2) return null;
  return (
    <p className="strangers">
      <span>{count} requests come from strangers: you have never allowed them anything.</span>
      <button type="button" onClick={() => act(client.denyStrangers(), 'Denied everything that strangers asked for.')}>
        Deny all from strangers
      </button>
    </p>
  );
}
