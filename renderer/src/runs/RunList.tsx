import { useContext, useRef } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { ListedAction } from '../../../src/contract/activity.ts';
import type { Run } from '../../../src/contract/run.ts';
import { statusOf, toneOf } from '../activity/activity-words.ts';
import { activityQuery, isFiltered } from '../activity/filters.ts';
import { newestPages } from '../activity/newest-pages.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { HomeContext, VisibleText, withoutTilde } from '../VisibleText.tsx';
import { RunMoment } from './RunMoment.tsx';
import {
  actionOfSubject,
  dayOf,
  didWords,
  PLAN_ALLOWED,
  runTitle,
  runTone,
  spanWords,
  statusesWords,
  subjectOfRun,
  TODAY,
} from './run-words.ts';

type Props = { model: DashboardModel; filters: URLSearchParams; openId: string | undefined };

const RUNS_OF_PAGE = 50;
/** Empty pages that are passed over at once: enough for 100,000 actions. */
const MOST_TRIES = 8;

type TodayProps = {
  /** Newest first. */
  runs: readonly Run[];
  model: DashboardModel;
  filters: URLSearchParams;
  openAction: string | undefined;
};

/** Runs of today whose moments are loaded; each costs a call. */
const MOST_WITH_MOMENTS = 8;
const ACTIONS_OF_RUN = 200;
/** The newest are shown; the run has all of them. */
const MOST = { answered: 8, wrong: 3, found: 3 };

/** What each agent did today, in sentences, with the moments that matter: what you were asked, what can be undone, and what went wrong. */
function Today({ runs, model, filters, openAction }: TodayProps) {
  const withMoments = new Set(runs.slice(0, MOST_WITH_MOMENTS));
  return [...Map.groupBy(runs, ({ userId }) => userId)].map(([userId, ofAgent], index) => (
    <article key={userId} className="today" aria-labelledby={`today-${index}`}>
      <h3 id={`today-${index}`}>
        <VisibleText>{userId}</VisibleText>
      </h3>
      <ul aria-labelledby={`today-${index}`}>
        {ofAgent.map((run) => (
          <li key={run.id}>
            <a
              className="today-run"
              href={addressOf({ page: 'activity', subject: subjectOfRun(run.id), filters })}
              {...(run.id === openAction && { 'aria-current': 'true' })}
            >
              <Effects run={run} />
              <span className="hint">
                <time dateTime={run.startedAt}>{spanWords(run)}</time> · {statusesWords(run)}
                {run.actions > 1 && <span className="today-all">Show all {run.actions} steps</span>}
              </span>
            </a>
            {openAction === undefined && withMoments.has(run) && (
              <Moments key={run.actions} run={run} filters={filters} model={model} />
            )}
          </li>
        ))}
      </ul>
    </article>
  ));
}

function Effects({ run }: { run: Run }) {
  if (run.effects.length === 0) return <VisibleText>{runTitle(run)}</VisibleText>;
  return run.effects.map(({ place, did }, index) => (
    <span key={place} className="today-place">
      <strong>
        <VisibleText>{place}</VisibleText>:
      </strong>{' '}
      <VisibleText>{didWords(did)}</VisibleText>
      {run.isPlanAllowed === true && index === run.effects.length - 1 && ` ${PLAN_ALLOWED}`}
    </span>
  ));
}

type MomentsProps = { run: Run; model: DashboardModel; filters: URLSearchParams };

/** What mattered in a run; under a search, the steps that were found. */
function Moments({ run, model, filters }: MomentsProps) {
  const text = filters.get('text') ?? '';
  const home = useContext(HomeContext);
  const { value } = useLoaded(model, () => moments(model, run, withoutTilde(text, home)));
  const now = useNow(30_000);
  if (value === undefined || value.length === 0) return null;
  const shown = text === '' ? mostImportant(value) : value.toSorted(byAnswer).slice(0, MOST.found);
  return (
    <>
      <ol className="moments" aria-label={text === '' ? 'What mattered' : 'Found steps'}>
        {shown.map((action) => (
          <RunMoment key={action.actionId} action={action} model={model} now={now} isBrief />
        ))}
      </ol>
      {shown.length < value.length && <p className="hint">{moreWords(value.length - shown.length, text !== '')}</p>}
    </>
  );
}

/** A search counts what it found, which is less than the run has. */
function moreWords(count: number, isSearch: boolean): string {
  const [one, many] = isSearch ? ['hit is', 'hits are'] : ['is', 'are'];
  return `${count} more ${count === 1 ? one : many} in the run.`;
}

/** What the person was asked about first. */
const byAnswer = (one: ListedAction, other: ListedAction) => Number(isAnswered(other)) - Number(isAnswered(one));

/** What the person allowed and can undo, then what went wrong. */
function mostImportant(actions: readonly ListedAction[]): ListedAction[] {
  const [answered, wrong] = [actions.filter(isAnswered), actions.filter((action) => !isAnswered(action))];
  return [...answered.slice(-MOST.answered), ...wrong.slice(-MOST.wrong)];
}

/** Oldest first. */
async function moments({ client }: DashboardModel, run: Run, text: string): Promise<Reply<ListedAction[]>> {
  const { userId, startedAt, lastAt, taskId = 'none' } = run;
  const query = { requester: userId, since: startedAt, until: lastAt, task: taskId, limit: String(ACTIONS_OF_RUN) };
  const answer = await client.activity(new URLSearchParams({ ...query, ...(text !== '' && { text }) }).toString());
  if (!answer.ok) return answer;
  const { items } = answer.value;
  return { ok: true, value: (text === '' ? items.filter(matters) : items).toReversed() };
}

function matters(action: ListedAction): boolean {
  const tone = toneOf(statusOf(action));
  return isAnswered(action) || tone === 'bad' || tone === 'quiet';
}

/** The person was asked, which takes time after the request, or can put a file back. */
function isAnswered({ undo, createdAt, decidedAt }: ListedAction): boolean {
  return (decidedAt !== undefined && decidedAt !== createdAt) || undo?.until !== undefined;
}

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
