import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isTerminal } from '../../src/domain/action-state.ts';
import { isStepEnded, taskStatusOf } from '../../src/domain/task-schedule.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { createRecording } from '../../src/store/guardian/recording.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { fromStored, type JournalRow, type StoredRow } from '../../src/store/journal/journal.ts';
import { type ActionRow, createActionTable } from '../../src/store/records/actions.ts';
import { createTaskTable, type StepRow, type TaskRow } from '../../src/store/records/tasks.ts';

/** Everything that is stored, as it is while no daemon runs. */
export type History = {
  tasks: TaskRow[];
  actions: ActionRow[];
  confirmations: unknown[];
  artifacts: { id: string }[];
  artifactFiles: string[];
  journal: JournalRow[];
  /** By position in `journal`. */
  hashes: string[];
  isGenuine: boolean;
  /** What Guardian has counted, and what it would have, had it counted the journal at one go. */
  counts: { counted: string; recounted: string };
};

const EVERYTHING = { userId: null, beforeId: '~', limit: 1_000 };

/** Reads a copy, so that the next daemon finds database and write-ahead log as the one before left them. */
export function readHistory(dataDirectory: string): History {
  return readCopy(dataDirectory, (original, copy) => {
    for (const suffix of ['', '-wal'])
      if (existsSync(original + suffix)) copyFileSync(original + suffix, copy + suffix);
  });
}

/** The same while a daemon runs, which may write meanwhile: SQLite makes the copy, of one moment. */
export function readLiveHistory(dataDirectory: string): History {
  return readCopy(dataDirectory, (original, copy) => {
    const database = new Database(original, { readonly: true });
    database.prepare('VACUUM INTO ?').run(copy);
    database.close();
  });
}

function readCopy(dataDirectory: string, make: (original: string, copy: string) => void): History {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-history-'));
  try {
    const { database: original, anchor: originalAnchor, key, artifacts } = dataDirectoryAt(dataDirectory);
    const [copy, anchor] = [join(folder, 'copy.db'), join(folder, 'anchor')];
    // First, because it names a row that must be there.
    if (existsSync(originalAnchor)) copyFileSync(originalAnchor, anchor);
    make(original, copy);
    const history = read(copy);
    return {
      ...history,
      artifactFiles: readdirSync(artifacts),
      isGenuine: auditJournal({ database: copy, anchor, key }).valid,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(path: string): Omit<History, 'artifactFiles' | 'isGenuine'> {
  const database = new Database(path);
  const all = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();
  const rows = all('journal ORDER BY seq') as StoredRow[];
  const history = {
    tasks: createTaskTable(database).page(EVERYTHING),
    actions: createActionTable(database).page(EVERYTHING),
    confirmations: all('confirmations ORDER BY id'),
    artifacts: all('artifacts ORDER BY id') as { id: string }[],
    journal: rows.map(fromStored),
    hashes: rows.map(({ hash }) => hash.toString('hex')),
    counts: recount(database),
  };
  database.close();
  return history;
}

function recount(database: Database.Database): History['counts'] {
  const counts = database.prepare(
    `SELECT unit, start_ms, user_id, action_type, device_id, (SELECT group_concat(fullkey || atom, ' ' ORDER BY fullkey) FROM json_tree(counts))
     FROM guardian_counts`,
  );
  const read = () => JSON.stringify(counts.all());
  const recording = createRecording(database);
  // A daemon that was killed has not stored what it counted in its last second; the next one does so.
  recording.settle();
  const counted = read();
  database.transaction(recording.rebuild)();
  return { counted, recounted: read() };
}

/** What is stored of work, without the journal, in which every start leaves its lines. */
export function worksOf({ tasks, actions, confirmations, artifacts, artifactFiles }: History) {
  return { tasks, actions, confirmations, artifacts, artifactFiles };
}

/** Contradictions in the stored state, within itself or with the promises of TASKS.md; none may exist at any time. */
export function contradictionsIn(history: History): string[] {
  const { tasks, actions, journal, artifacts, artifactFiles, counts } = history;
  const missing = artifacts.filter(({ id }) => !artifactFiles.includes(id));
  return [
    ...(history.isGenuine ? [] : ['the journal is not as it was written']),
    ...(counts.counted === counts.recounted ? [] : ['Guardian has counted what is not in the journal']),
    ...actions.flatMap((action) => contradictionsOfAction(action, journal)),
    ...tasks.flatMap((task) => contradictionsOfTask(task, history)),
    ...missing.map(({ id }) => `the artifact ${id} has no file`),
  ];
}

/** What should have come to an end and has not, when nothing more happens by itself. */
export function looseEndsIn({ tasks, actions, confirmations }: History): string[] {
  const steps = tasks.flatMap((task) => task.steps);
  const pending = confirmations.filter((row) => (row as { status: string }).status === 'pending');
  return [
    ...actions.filter(({ status }) => !isTerminal(status)).map(({ id, status }) => `the action ${id} is ${status}`),
    ...steps.filter(({ retryAtMs }) => retryAtMs !== undefined).map(({ id }) => `the step ${id} is to be tried again`),
    ...steps
      .filter(({ status }) => ['running', 'awaiting_confirmation'].includes(status))
      .map(({ id, status }) => `the step ${id} is ${status}`),
    ...pending.map(() => 'a prompt waits'),
  ];
}

/** What had ended, or was journaled, and is not so any more. */
export function changesOfThePast(before: History, after: History): string[] {
  const steps = (history: History) =>
    history.tasks.flatMap(({ id, steps }) => steps.map((step) => ({ ...step, id: `${id}/${step.id}` })));
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const changed = <Row extends { id: string }>(was: Row[], is: Row[]) =>
    was
      .filter(
        (row) =>
          !isSame(
            row,
            is.find(({ id }) => id === row.id),
          ),
      )
      .map((row) => `${row.id} had ended and has changed`);
  return [
    ...changed(
      before.actions.filter(({ status }) => isTerminal(status)),
      after.actions,
    ),
    ...changed(
      before.tasks.filter(({ finishedAtMs }) => finishedAtMs !== undefined),
      after.tasks,
    ),
    ...changed(
      steps(before).filter(({ status }) => isStepEnded(status)),
      steps(after),
    ),
    ...(isSame(before.hashes, after.hashes.slice(0, before.hashes.length)) ? [] : ['the journal has another past']),
  ];
}

/** How often an attempt of a step was recorded as sent. */
export function dispatchesOf(stepId: string, { actions, journal }: History): number {
  const ids = new Set(actions.filter((action) => action.stepId === stepId).map(({ id }) => id));
  return journal.filter(({ kind, actionId = '' }) => kind === 'action.dispatched' && ids.has(actionId)).length;
}

function contradictionsOfAction({ id, status }: ActionRow, journal: readonly JournalRow[]): string[] {
  const events = journal.filter(({ actionId, kind }) => actionId === id && kind.startsWith('action.'));
  const statuses = events.flatMap(({ metadata }) => metadata?.status ?? []) as ActionRow['status'][];
  const sent = events.filter(({ kind }) => kind === 'action.dispatched').length;
  return [
    ...pathFaults(`the action ${id}`, { statuses, isEnd: isTerminal, now: status }),
    ...(sent > 1 ? [`the action ${id} was sent ${sent} times`] : []),
  ];
}

function contradictionsOfTask(task: TaskRow, history: History): string[] {
  const { id, status, steps, finishedAtMs } = task;
  const derived = taskStatusOf(steps.map(asScheduled));
  const events = history.journal.filter(({ metadata }) => metadata?.taskId === id);
  const actions = history.actions.filter((action) => action.taskId === id);
  const ends = events.filter(({ kind }) => kind === 'task.ended');
  const hasEnded = steps.every((step) => isStepEnded(step.status));
  return [
    ...(status === derived ? [] : [`the task is ${status}, and by its steps ${derived}`]),
    ...(hasEnded === (finishedAtMs !== undefined) ? [] : ['the task and its steps have not ended together']),
    ...(ends.length === (hasEnded ? 1 : 0) ? [] : [`the task ended ${ends.length} times`]),
    ...steps.flatMap((step) => contradictionsOfStep(step, { events, actions })),
  ];
}

function contradictionsOfStep(
  step: StepRow,
  { events, actions }: { events: readonly JournalRow[]; actions: readonly ActionRow[] },
): string[] {
  const changes = events.filter(({ kind, metadata }) => kind === 'task.step_changed' && metadata?.stepId === step.id);
  const statuses = changes.map(({ metadata }) => metadata?.stepStatus as StepRow['status']);
  const attempts = actions.filter(({ stepId }) => stepId === step.id);
  const latest = attempts.find(({ id }) => id === step.actionId);
  const followsIt = latest === undefined || step.retryAtMs !== undefined || isSameStanding(step, latest);
  return [
    ...pathFaults(`the step ${step.id}`, { statuses: ['pending', ...statuses], isEnd: isStepEnded, now: step.status }),
    ...(attempts.length === step.attempts ? [] : [`${step.id}: ${attempts.length} actions, ${step.attempts} attempts`]),
    ...(followsIt ? [] : [`the step ${step.id} is ${step.status}, its action ${latest.status}`]),
  ];
}

function isSameStanding(step: StepRow, action: ActionRow): boolean {
  return step.status === (action.status === 'queued' ? 'pending' : action.status);
}

/** What is wrong with a way through states: an end that was left or came twice, or another end than what is stored. */
function pathFaults<Status>(
  what: string,
  { statuses, isEnd, now }: { statuses: readonly Status[]; isEnd: (status: Status) => boolean; now: Status },
): string[] {
  const wasLeft = statuses.slice(0, -1).some(isEnd);
  return [
    ...(wasLeft ? [`${what} left its end: ${statuses}`] : []),
    ...(statuses.at(-1) === now ? [] : [`${what} is ${now}, its journal says ${statuses}`]),
  ];
}

function asScheduled(step: StepRow) {
  return { ...step, isUnderWay: false };
}
