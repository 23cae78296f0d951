import { useState } from 'react';
import type { QueuedConfirmation } from '../../../src/contract/console.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import type { QueueRow } from '../prompt/urgency.ts';
import { Quoted } from '../Quoted.tsx';
import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

type Props = { rows: readonly QueueRow[]; stuckTasks: readonly Task[]; model: DashboardModel };

/** The queue behind the current prompt. Prompts are answered in order; only a flood can be denied from here. */
export function Queue({ rows, stuckTasks, model }: Props) {
  return (
    <aside className="queue" aria-labelledby="queue-title">
      <h2 id="queue-title">Also waiting</h2>
      <ol>
        {rows.map((row) =>
          row.kind === 'flood' ? (
            <FloodRow key={`user ${row.userId}`} userId={row.userId} waiting={row.confirmations} model={model} />
          ) : (
            <WaitingRow key={row.confirmation.id} confirmation={row.confirmation} count={row.count} />
          ),
        )}
        {stuckTasks.map((task) => (
          <li key={task.taskId} className="waiting">
            <span className="waiting-sentence">
              Did it happen? <Quoted>{task.name}</Quoted>
            </span>
            <span className="hint">
              A task of <VisibleText>{task.userId}</VisibleText> needs your answer after this.
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

function WaitingRow({
  confirmation: { prompt, expiresAt },
  count,
}: {
  confirmation: QueuedConfirmation;
  count: number;
}) {
  const now = useNow(1_000);
  return (
    <li className="waiting" data-risk={prompt.risk.level}>
      <span className="waiting-sentence">
        <VisibleText>{prompt.sentence}</VisibleText>
      </span>
      <span className="hint">
        {count > 1 && `${count} times · `}
        {prompt.risk.level} risk · <VisibleText>{prompt.requester.userId}</VisibleText> ·{' '}
        {countdown(Date.parse(expiresAt) - now)} left
      </span>
    </li>
  );
}

type FloodProps = { userId: string; waiting: readonly QueuedConfirmation[]; model: DashboardModel };

/**
 * The many requests of one requester, with a line for each, folded. One press denies the ticked ones. Each approval needs its own
 * prompt, so nothing is allowed here.
 */
function FloodRow({ userId, waiting, model }: FloodProps) {
  const { client, act, desk } = model;
  const [isOpen, setOpen] = useState(false);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const chosen = waiting.filter(({ id }) => !without.has(id));
  const isAll = chosen.length === waiting.length;
  const toggle = (id: string) =>
    setWithout(new Set(without.has(id) ? [...without].filter((one) => one !== id) : [...without, id]));
  const deny = () =>
    isAll ? act(client.denyAll(userId), `Denied everything ${userId} was asking for.`) : desk.denyEach(chosen);
  return (
    <li className="flood">
      <span className="waiting-sentence">
        <VisibleText>{userId}</VisibleText> asks for {waiting.length} things at once
      </span>
      {isOpen && (
        <ul className="ticked-list" aria-label={`Requests of ${visibleText(userId)}`}>
          {waiting.map(({ id, prompt: { sentence } }) => (
            <li key={id}>
              <label>
                <input type="checkbox" checked={!without.has(id)} onChange={() => toggle(id)} />{' '}
                <VisibleText>{sentence}</VisibleText>
              </label>
            </li>
          ))}
        </ul>
      )}
      <span className="flood-answers">
        <button type="button" disabled={chosen.length === 0} onClick={() => void deny()}>
          Deny {isAll ? `all ${waiting.length}` : chosen.length}
        </button>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : 'Choose'}
        </button>
        <button type="button" onClick={() => act(client.pauseUser(userId))}>
          Pause {visibleText(userId)}
        </button>
      </span>
    </li>
  );
}
