import type { DashboardModel } from '../dashboard-model.ts';
import { addressOf, type Place } from '../pages.ts';
import { ActionDetail } from './ActionDetail.tsx';
import { ActivityList } from './ActivityList.tsx';
import { ActionFilterBar, TaskFilterBar } from './FilterBar.tsx';
import { TaskDetail } from './TaskDetail.tsx';
import { TaskList } from './TaskList.tsx';

/** The log of all actions or all tasks, with filters in the address, and beside it the one that is open. */
export function Activity({ place, model }: { place: Place; model: DashboardModel }) {
  const { subject, filters } = place;
  const isOfTasks = filters.get('view') === 'tasks';
  return (
    <div className="activity" data-open={subject !== undefined}>
      <div className="activity-head">
        <h1>Activity</h1>
        <ViewLinks isOfTasks={isOfTasks} />
        {isOfTasks ? (
          <TaskFilterBar filters={filters} model={model} />
        ) : (
          <ActionFilterBar filters={filters} model={model} />
        )}
      </div>
      <div className="activity-list">
        {isOfTasks ? (
          <TaskList key={filters.toString()} model={model} filters={filters} openId={subject} />
        ) : (
          <ActivityList key={filters.toString()} model={model} filters={filters} openId={subject} />
        )}
      </div>
      {subject !== undefined && (
        <div className="activity-detail">
          <a className="back" href={addressOf({ page: 'activity', filters })}>
            ← Back to the list
          </a>
          {subject.startsWith('tsk_') ? (
            <TaskDetail key={subject} taskId={subject} model={model} />
          ) : (
            <ActionDetail key={subject} actionId={subject} model={model} />
          )}
        </div>
      )}
    </div>
  );
}

function ViewLinks({ isOfTasks }: { isOfTasks: boolean }) {
  const tasks = new URLSearchParams({ view: 'tasks' });
  return (
    <nav className="views" aria-label="Views of the activity">
      <a href={addressOf({ page: 'activity' })} {...(!isOfTasks && { 'aria-current': 'page' })}>
        Actions
      </a>
      <a href={addressOf({ page: 'activity', filters: tasks })} {...(isOfTasks && { 'aria-current': 'page' })}>
        Tasks
      </a>
    </nav>
  );
}
