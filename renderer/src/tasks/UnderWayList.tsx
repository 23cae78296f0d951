import { useState } from 'react';
import type { UnderWay } from '../../../src/contract/console-status.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow } from '../hooks.ts';
import { timeAgo } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

type Props = { items: readonly UnderWay[]; model: DashboardModel };

/** Actions and tasks that run or wait for their turn, each with a button that cancels it. */
export function UnderWayList({ items, model }: Props) {
  const now = useNow(10_000);
  if (items.length === 0) return null;
  return (
    <section className="tasks" aria-labelledby="under-way-title">
      <h2 id="under-way-title">Running now</h2>
      <ul className="cards">
        {items.map((item) => (
          <UnderWayRow key={item.id} item={item} now={now} model={model} />
        ))}
      </ul>
    </section>
  );
}

function UnderWayRow({ item, now, model }: { item: UnderWay; now: number; model: DashboardModel }) {
  const { kind, id, userId, title, status, createdAt } = item;
  const { client, act } = model;
  const [isBusy, setIsBusy] = useState(false);
  const cancel = async () => {
    if (isBusy) return;
    setIsBusy(true);
    await act(kind === 'task' ? client.cancelTask(id) : client.cancelAction(id), `Cancelled: ${title}`);
    setIsBusy(false);
  };
  return (
    <li className="grant under-way">
      <div>
        <p className="grant-literal">
          {kind === 'task' ? <Quoted>{title}</Quoted> : <VisibleText>{title}</VisibleText>}
        </p>
        <p className="hint">
          <VisibleText>{userId}</VisibleText> · {STATUS_WORDS[status] ?? status} · requested{' '}
          {timeAgo(Date.parse(createdAt), now)}
        </p>
      </div>
      <button type="button" aria-disabled={isBusy} aria-label={`Cancel: ${visibleText(title)}`} onClick={cancel}>
        Cancel
      </button>
    </li>
  );
}

/** The statuses of unfinished actions and tasks, in words for the person. */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting for its turn',
  pending: 'waiting for its turn',
  running: 'running',
  awaiting_confirmation: 'waiting for your answer',
  needs_attention: 'waiting for your answer',
};
