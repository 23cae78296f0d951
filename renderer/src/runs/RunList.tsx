import { useContext, useRef } from 'react';
import type { Run } from '../../../src/contract/run.ts';
import { activityQuery, isFiltered } from '../activity/filters.ts';
import { newestPages } from '../activity/newest-pages.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { HomeContext } from '../home.ts';
import { addressOf } from '../pages.ts';
import { useLoaded } from '../use-loaded.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import {
  actionOfSubject,
  dayOf,
  runTitle,
  runTone,
  spanWords,
  statusesWords,
  subjectOfRun,
  TODAY,
} from './run-words.ts';
import { MOST_WITH_MOMENTS, Moments, Today } from './Today.tsx';

type Props = { model: DashboardModel; filters: URLSearchParams; openId: string | undefined };

const RUNS_OF_PAGE = 50;
/** Empty pages that are passed over at once: enough for 100,000 actions. */
const MOST_TRIES = 8;

/** The runs that match the filters, newest first, by the day; older ones on demand. */
export function RunList({ model, filters, openId }: Props) {
  const pages = useRef(1);
  const home = useContext(HomeContext);
  const { value, failure, reload } = useLoaded(model, () =>
    newestPages((cursor) => filledPage(model, { filters, home, from: cursor }), pages.current),
  );
  const showOlder = () => {
    pages.current += 1;
    void reload();
  };
  const now = useNow(30_000);
  if (value === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  if (value.items.length === 0 && !value.hasOlder) return <NoRuns isFiltered={isFiltered(filters)} />;
  const days = Map.groupBy(value.items, ({ lastAt }) => dayOf(lastAt, now));
  const openAction = openId === undefined ? undefined : actionOfSubject(openId);
  return (
    <>
      <div className="activity-rows run-rows">
        {[...days].map(([day, runs]) => (
          <section key={day} aria-label={day}>
            <h2>{day}</h2>
            {day === TODAY ? (
              <Today runs={runs} filters={filters} openAction={openAction} model={model} />
            ) : (
              <ul aria-label={`Runs: ${day}`}>
                {runs.map((run) => (
                  <li key={run.id}>
                    <RunRow run={run} filters={filters} isOpen={run.id === openAction} />
                    {filters.has('text') && value.items.indexOf(run) < MOST_WITH_MOMENTS && (
                      <Moments run={run} filters={filters} model={model} />
                    )}
                  </li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </div>
      <div className="task-foot">
        <p className="hint activity-count" role="status">
          {value.items.length} {value.items.length === 1 ? 'run' : 'runs'}
          {failure !== undefined && `. ${failure.detail}`}
        </p>
        <p className="hint">A run takes from its first request to its last end, your answers included.</p>
        {value.hasOlder && (
          <button type="button" onClick={showOlder}>
            Show older runs
          </button>
        )}
      </div>
    </>
  );
}

type Asked = { filters: URLSearchParams; home: string | undefined; from: string | undefined };

/** The page at a cursor. Where few runs match, a page may be empty and have a cursor: then it goes on, not without an end. */
async function filledPage({ client }: DashboardModel, { filters, home, from }: Asked) {
  let cursor = from;
  for (let tries = 1; ; tries += 1) {
    const wanted = { limit: RUNS_OF_PAGE, cursor };
    const answer = await client.runs(activityQuery(filters, wanted, home));
    if (!answer.ok || answer.value.items.length > 0 || answer.value.nextCursor === null || tries === MOST_TRIES)
      return answer;
    cursor = answer.value.nextCursor;
  }
}

function RunRow({ run, filters, isOpen }: { run: Run; filters: URLSearchParams; isOpen: boolean }) {
  return (
    <a
      className="run-row"
      href={addressOf({ page: 'activity', subject: subjectOfRun(run.id), filters })}
      {...(isOpen && { 'aria-current': 'true' })}
    >
      <span className="run-user">
        <VisibleText>{run.userId}</VisibleText>
      </span>
      <span className="run-title">
        <VisibleText>{runTitle(run)}</VisibleText>
      </span>
      <span className={`status ${runTone(run)}`}>{statusesWords(run)}</span>
      <time dateTime={run.startedAt}>{spanWords(run)}</time>
    </a>
  );
}

function NoRuns({ isFiltered: isByFilters }: { isFiltered: boolean }) {
  return (
    <div className="empty">
      <h2>{isByFilters ? 'No run matches the filters' : 'No activity yet'}</h2>
      <p>
        {isByFilters
          ? 'Choose other filters, or clear them.'
          : 'Each run is listed here: what one program does without a break of three minutes.'}
      </p>
    </div>
  );
}
