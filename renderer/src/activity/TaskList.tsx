import { useRef } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';
import { momentWords, tookWords } from './activity-words.ts';
import { isFiltered, taskQuery } from './filters.ts';
import { newestPages } from './newest-pages.ts';
import { TaskStatusWord } from './TaskStatusWord.tsx';
import { doneSteps } from './task-words.ts';

type Props = { model: DashboardModel; filters: URLSearchParams; openId: string | undefined };

/** The tasks that match the filters, newest first; older ones on demand. */
export function TaskList({ model, filters, openId }: Props) {
  const pages = useRef(1);
  const { value, failure, reload } = useLoaded(model, () =>
    newestPages((cursor) => model.client.tasks(taskQuery(filters, cursor)), pages.current),
  );
  const showOlder = () => {
    pages.current += 1;
    void reload();
  };
  const now = useNow(30_000);
  if (value === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  if (value.items.length === 0) return <NoTasks isFiltered={isFiltered(filters)} />;
  return (
    <>
      <div className="activity-rows">
        <ul aria-label="Tasks" className="task-rows">
          {value.items.map(({ taskId, name, userId, status, progress, createdAt, durationMs }) => (
            <li key={taskId}>
              <a
                className="activity-row task-row"
                href={addressOf({ page: 'activity', subject: taskId, filters })}
                {...(taskId === openId && { 'aria-current': 'true' })}
              >
                <time dateTime={createdAt}>{momentWords(createdAt, now)}</time>
                <TaskStatusWord status={status} progress={progress} />
                <span className="row-details">
                  <VisibleText>{name}</VisibleText>
                </span>
                <span className="row-user">
                  <VisibleText>{userId}</VisibleText>
                </span>
                <span className="row-took">
                  {[`${doneSteps(progress)}/${progress.total}`, tookWords(durationMs)].filter(Boolean).join(' · ')}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div className="task-foot">
        <p className="hint activity-count" role="status">
          {value.items.length} {value.items.length === 1 ? 'task' : 'tasks'}
          {failure !== undefined && `. ${failure.detail}`}
        </p>
        {value.hasOlder && (
          <button type="button" onClick={showOlder}>
            Show older tasks
          </button>
        )}
      </div>
    </>
  );
}

function NoTasks({ isFiltered: isByFilters }: { isFiltered: boolean }) {
  return (
    <div className="empty">
      <h2>{isByFilters ? 'No task matches the filters' : 'No tasks yet'}</h2>
      <p>
        {isByFilters
          ? 'Choose other filters, or clear them.'
          : 'Each task is listed here: several actions that a program requests together, in an order.'}
      </p>
    </div>
  );
}
