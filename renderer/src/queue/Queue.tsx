import type { QueuedConfirmation } from '../../../src/contract/console.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import type { QueueRow } from '../prompt/urgency.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { Quoted } from '../Quoted.tsx';
import { countdown } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';

type Props = { rows: readonly QueueRow[]; stuckTasks: readonly Task[]; model: DashboardModel };

/** The queue behind the current prompt. Prompts are answered in order; only a flood can be denied from here. */
export function Queue({ rows, stuckTasks, model }: Props) {
  return (
    <aside className="queue" aria-labelledby="queue-title">
      <h2 id="queue-title">Also waiting</h2>
      <ol>
        {rows.map((row) =>
          row.kind === 'flood' ? (
            <FloodRow key={`user ${row.userId}`} userId={row.userId} count={row.confirmations.length} model={model} />
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

function FloodRow({ userId, count, model }: { userId: string; count: number; model: DashboardModel }) {
  const { client, act } = model;
  return (
    <li className="flood">
      <span className="waiting-sentence">
        <VisibleText>{userId}</VisibleText> asks for {count} things at once
      </span>
      <span className="flood-answers">
        <button
          type="button"
          onClick={() => act(client.denyAll(userId), `Denied everything ${userId} was asking for.`)}
        >
          Deny all {count}
        </button>
        <button type="button" onClick={() => act(client.pauseUser(userId))}>
          Pause {visibleText(userId)}
        </button>
      </span>
    </li>
  );
}
