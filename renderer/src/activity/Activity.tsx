import type { DashboardModel } from '../dashboard-model.ts';
import { addressOf, type Place } from '../pages.ts';
import { RunDetail } from '../runs/RunDetail.tsx';
import { RunList } from '../runs/RunList.tsx';
import { actionOfSubject, isRunSubject } from '../runs/run-words.ts';
import { SearchContext } from '../VisibleText.tsx';
import { ActionDetail } from './ActionDetail.tsx';
import { ActivityList } from './ActivityList.tsx';
import { ActionFilterBar, TaskFilterBar } from './FilterBar.tsx';
import { TaskDetail } from './TaskDetail.tsx';
import { TaskList } from './TaskList.tsx';

type View = 'runs' | 'actions' | 'tasks';
const VIEWS: readonly (readonly [View, string])[] = [
  ['runs', 'Runs'],
  ['actions', 'Actions'],
  ['tasks', 'Tasks'],
];

/** The log by runs, by single actions or by tasks, with filters in the address, and beside it the one that is open. */
export function Activity({ place, model }: { place: Place; model: DashboardModel }) {
  const { subject, filters } = place;
  const view = viewOf(filters);
  const List = { runs: RunList, actions: ActivityList, tasks: TaskList }[view];
  return (
    <div
      className="activity"
      data-open={subject !== undefined}
      data-wide={subject !== undefined && isRunSubject(subject)}
    >
      <div className="activity-head">
        <h1>Activity</h1>
        <ViewLinks current={view} />
        {view === 'tasks' ? (
          <TaskFilterBar filters={filters} model={model} />
        ) : (
          <ActionFilterBar filters={filters} model={model} />
        )}
      </div>
      <div className="activity-list">
        <SearchContext value={filters.get('text') ?? ''}>
          <List key={filters.toString()} model={model} filters={filters} openId={subject} />
        </SearchContext>
      </div>
      {subject !== undefined && (
        <div className="activity-detail">
          <a className="back" href={addressOf({ page: 'activity', filters })}>
            ← Back to the list
          </a>
          <Detail key={subject} subject={subject} model={model} />
        </div>
      )}
    </div>
  );
}

function Detail({ subject, model }: { subject: string; model: DashboardModel }) {
  if (subject.startsWith('tsk_')) return <TaskDetail taskId={subject} model={model} />;
  if (isRunSubject(subject)) return <RunDetail actionId={actionOfSubject(subject)} model={model} />;
  return <ActionDetail actionId={subject} model={model} />;
}

function viewOf(filters: URLSearchParams): View {
  return VIEWS.find(([name]) => name === filters.get('view'))?.[0] ?? 'runs';
}

function ViewLinks({ current }: { current: View }) {
  return (
    <nav className="views" aria-label="Views of the activity">
      {VIEWS.map(([name, words]) => {
        const filters = new URLSearchParams(name === 'runs' ? {} : { view: name });
        return (
          <a
            key={name}
            href={addressOf({ page: 'activity', filters })}
            {...(name === current && { 'aria-current': 'page' as const })}
          >
            {words}
          </a>
        );
      })}
    </nav>
  );
}
