import { useEffect, useRef, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { ProcedureHint } from '../../../src/contract/procedure.ts';
import type { Run } from '../../../src/contract/run.ts';
import { newestPages } from '../activity/newest-pages.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { download } from '../download.ts';
import { useLoaded, useNow } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';
import { RunMoment } from './RunMoment.tsx';
import { runTitle, runTone, spanWords, statusesWords, subjectOfRun } from './run-words.ts';

const ACTIONS_OF_PAGE = 200;

type Told = { run: Run; items: Action[]; hasOlder: boolean };

/** One run as a time line, live while it goes on. */
export function RunDetail({ actionId, model }: { actionId: string; model: DashboardModel }) {
  const pages = useRef(1);
  const { value, failure, reload } = useLoaded(model, () => toldRun(model, actionId, pages.current));
  const now = useNow(30_000);
  if (value === undefined) return <p className="hint">{failure?.detail ?? 'Loading…'}</p>;
  const { run, items, hasOlder } = value;
  const showEarlier = () => {
    pages.current += 1;
    void reload();
  };
  return (
    <article className="detail run" aria-labelledby="detail-title">
      <header className="run-head">
        <h2 id="detail-title">
          <VisibleText>{runTitle(run)}</VisibleText>
        </h2>
        <p>
          <span className={`status ${runTone(run)}`}>{statusesWords(run)}</span>
        </p>
        <p className="hint">
          <a href={addressOf({ page: 'activity', filters: new URLSearchParams({ requester: run.userId }) })}>
            <VisibleText>{run.userId}</VisibleText>
          </a>
          {' · '}
          {spanWords(run)}
          {run.taskId !== undefined && (
            <>
              {' · '}
              <a
                href={addressOf({
                  page: 'activity',
                  subject: run.taskId,
                  filters: new URLSearchParams({ view: 'tasks' }),
                })}
              >
                Steps of the task
              </a>
            </>
          )}
        </p>
        <SaveButton run={run} model={model} />
        <MakeProcedure actionId={run.id} model={model} />
      </header>
      {hasOlder && (
        <button type="button" className="quiet" onClick={showEarlier}>
          Show what came before
        </button>
      )}
      <ol className="moments" aria-label="Time line">
        {items.toReversed().map((action) => (
          <RunMoment key={action.actionId} action={action} model={model} now={now} />
        ))}
      </ol>
    </article>
  );
}

/** The run, and its newest actions. */
async function toldRun({ client }: DashboardModel, actionId: string, pages: number): Promise<Reply<Told>> {
  const run = await client.run(actionId);
  if (!run.ok) return run;
  const { userId, startedAt, lastAt, taskId = 'none' } = run.value;
  const query = { requester: userId, since: startedAt, until: lastAt, task: taskId, limit: String(ACTIONS_OF_PAGE) };
  const actions = await newestPages(
    (cursor) => client.activity(new URLSearchParams({ ...query, ...(cursor !== undefined && { cursor }) }).toString()),
    pages,
  );
  return actions.ok ? { ok: true, value: { run: run.value, ...actions.value } } : actions;
}

const WEEK_MS = 7 * 86_400_000;
const LEAST_TIMES = 3;

/** Leads to a draft of the run. Where the person allowed the same often, it says so: at one run a week. */
function MakeProcedure({ actionId, model: { client, preferences } }: { actionId: string; model: DashboardModel }) {
  const [hint, setHint] = useState<ProcedureHint>();
  useEffect(() => {
    const { actionId: latest = actionId, atMs = Date.now() } = preferences.get().hint ?? {};
    if (latest !== actionId && Date.now() - atMs < WEEK_MS) return;
    void client.procedureHint(actionId).then((answer) => {
      if (!answer.ok || answer.value.times < LEAST_TIMES) return;
      setHint(answer.value);
      if (latest !== actionId || preferences.get().hint === undefined)
        preferences.change({ hint: { actionId, atMs: Date.now() } });
    });
  }, [actionId, client, preferences]);
  return (
    <p>
      {hint !== undefined && (
        <>
          You allowed {hint.steps === 1 ? 'this step' : `these ${hint.steps} steps`} {hint.times} times this week. Make
          it a procedure?{' '}
        </>
      )}
      <a href={addressOf({ page: 'procedures', subject: subjectOfRun(actionId) })}>Make a procedure…</a>
    </p>
  );
}

function SaveButton({ run, model }: { run: Run; model: DashboardModel }) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    const file = await model.client.runFile(run.id);
    setBusy(false);
    if (file.ok) download(file.value, `${run.userId} ${run.startedAt.slice(0, 16)}.html`);
    else model.notices.outcome(file);
  };
  return (
    <div className="run-save">
      <button type="button" aria-disabled={isBusy} onClick={() => void save()}>
        {isBusy ? 'Saving…' : 'Save as a file'}
      </button>
      <p className="hint">
        One page with the pictures and the journal. Check it with <code>handrail audit --file</code>.
      </p>
    </div>
  );
}
