import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../hooks.ts';
import { Later, laterScript, PageMissing } from '../Later.tsx';

const CARD = laterScript({
  load: () => import('./ConnectCard.tsx').then((script) => script.ConnectCard),
  missing: PageMissing,
});

/** Below the empty page of requests: the card that connects an agent while it is open, otherwise the button that opens it. */
export function ConnectAgent({ model }: { model: DashboardModel }) {
  const { isOpen } = useObservable(model.firstCalls);
  const { status } = useObservable(model.feed);
  if (isOpen) return <Later script={CARD} props={{ model }} loading={null} />;
  if (status === undefined) return null;
  return (
    <button type="button" className="quiet connect-open" onClick={model.firstCalls.open}>
      {status.requesters.length === 0 ? 'Connect your first agent' : 'Connect an agent'}
    </button>
  );
}
