import type { Evidence } from '../../contract/action.ts';
import { intersects } from '../../contract/bounds.ts';
import { type ControlName, wordsOfName } from '../../contract/control-name.ts';
import type { Bounds } from '../../contract/device.ts';
import type {
  Expectation,
  PersonsProcedure,
  ProcedureApproval,
  ProcedureDraft,
  ProcedureMend,
  ProcedureSource,
  ProcedureStep,
} from '../../contract/procedure.ts';
import type { ScreenDescription } from '../../contract/screen.ts';
import { machineWords } from '../../domain/machine-words.ts';
import { nameOf } from '../../domain/procedures/make.ts';
import { expectationId } from '../../domain/procedures/steps.ts';
import { stepsInWords } from '../../domain/procedures/words.ts';
import type { ArtifactRow } from '../../store/records/artifacts.ts';
import type { ProcedureRow } from '../../store/records/procedures.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Context } from '../context.ts';
import type { DevicesOfAll } from '../devices.ts';
import type { Grants } from '../permissions/grants.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { termTimestamp } from '../steady-clock.ts';
import { MOST_CHARACTERS } from '../work/pages.ts';
import { createSlice } from '../work/turns.ts';
import type { createDrafts } from './drafts.ts';
import { type LookAtApp, type LookParts, lookAtApp } from './looks.ts';
import { approvalKey, type Procedures, viewProcedure } from './procedures.ts';

const DAY_MS = 24 * 3_600_000;

const orderOf = ({ procedure }: PersonsProcedure) => `${procedure.userId}\n${procedure.name}`;

export type PersonsProcedures = ReturnType<typeof createPersonsProcedures>;

type Parts = LookParts & {
  procedures: Procedures;
  drafts: ReturnType<typeof createDrafts>;
  devices: Pick<DevicesOfAll, 'row'>;
  grants: Pick<Grants, 'revoke'>;
  isKnown(userId: string): boolean;
  home: string | undefined;
};

/** No control answers to the name, or several do. */
const MISSES: ReadonlySet<string> = new Set(['target_gone', 'invalid_target']);
const MOST_CONTROLS = 100;
/** Pictures that are looked through for the latest one of a step. */
const MOST_PICTURES = 200;

type MendOfParts = LookParts & { procedures: Pick<Procedures, 'find'> };

/** A step of a procedure that missed its control or what had to be true after it. `advice`: no control can mend it. */
type Miss = { row: ProcedureRow; step: ProcedureStep; missed: StepRow; isExpectation: boolean; advice?: string };

/** Where a run of a procedure stopped, with its pictures; `looks`: and what is on the screen now. */
async function mendOf(
  context: Context,
  parts: MendOfParts,
  { taskId, looks }: { taskId: string; looks: boolean },
): Promise<ProcedureMend | Refusal> {
  const task = context.store.tasks.findById(taskId);
  if (task === undefined) return { refused: 'task_not_found', detail: `There is no task ${taskId}.` };
  const miss = missOf(task, parts.procedures.find);
  if (isRefusal(miss)) return miss;
  const { row, step, missed, isExpectation, advice } = miss;
  const found = {
    procedure: viewProcedure(row),
    stepId: step.id,
    isExpectation,
    wanted: visible(wantedBy(step, isExpectation)),
    problem: visible(missed.error?.message ?? missed.details ?? ''),
    ...picturesOf(context, task, miss),
  };
  if (advice !== undefined) return { ...found, advice };
  if (!looks) return found;
  const look = await lookAtApp(parts, { deviceId: missed.deviceId, app: step.target?.app });
  return look === undefined ? NOT_SEEN : { ...found, look: viewLook(look, step.target) };
}

/** The step that missed, if the task is a run of a procedure as it is now and has one. */
export function missOf(task: TaskRow, find: Procedures['find']): Miss | Refusal {
  const missed = task.steps.find(({ status }) => status === 'failed');
  if (task.procedure === undefined || missed === undefined) return NOTHING_MISSED;
  const row = find(task.userId, task.procedure.name);
  if (isRefusal(row)) return row;
  if (row.digest !== task.procedure.digest) return CHANGED;
  const step = row.procedure.steps.find(({ id }) => id === missed.id || expectationId(id) === missed.id);
  if (step === undefined) return NOTHING_MISSED;
  const code = missed.error?.code ?? '';
  const isScript = step.expect?.exitCode !== undefined && code === 'script_failed';
  const isExpectation = isScript || step.id !== missed.id;
  if (!isExpectation && !MISSES.has(code)) return NOTHING_MISSED;
  const advice = isScript
    ? ADVICE.exitCode
    : isExpectation && step.expect?.file !== undefined
      ? ADVICE.file
      : undefined;
  return { row, step, missed, isExpectation, ...(advice !== undefined && { advice }) };
}

const ADVICE = {
  file: 'No control tells whether a file is there. See whether the step put it elsewhere or under another name. Then change the step or its expectation in the exported procedure, and import it.',
  exitCode:
    'No control tells how a script ends. Read the output of the step, and mend the script or what it needs. If another code is right, change the expectation in the exported procedure, and import it.',
};

/** The latest picture of an earlier step that found the same control, before or after what it did there, and the one of the miss. */
function picturesOf(
  { store }: Context,
  { userId, steps }: TaskRow,
  { step: { id, actionType, target }, missed: { actionId }, isExpectation }: Miss,
): Pick<ProcedureMend, 'worked' | 'missed'> {
  if (actionId === undefined) return {};
  const missed = store.artifacts.evidenceOf(actionId).at(-1);
  const role = isExpectation ? 'after' : 'before';
  const beforeId = steps.find((each) => each.id === id)?.actionId ?? actionId;
  const worked = store.artifacts
    .ofLike({ userId, actionType, beforeId }, role, MOST_PICTURES)
    .find(({ targets = [] }) => targets.some((each) => 'control' in each && isNamed(nameOf(each.control), target)));
  return { ...(worked && { worked: viewPicture(worked) }), ...(missed && { missed: viewPicture(missed) }) };
}

function isNamed(one: ControlName | undefined, other: ControlName | undefined): boolean {
  return one?.app === other?.app && one?.role === other?.role && one?.name === other?.name;
}

function viewPicture({ id, mediaType, width, height, sizeBytes, sha256, role = 'after' }: ArtifactRow): Evidence {
  return { id, mediaType, width, height, sizeBytes, sha256, role };
}

function viewLook({ screen, picture }: LookAtApp, wanted: ControlName | undefined): NonNullable<ProcedureMend['look']> {
  const controls = controlsIn(screen, wanted).map(({ target, bounds, windowId }) => {
    const isSeen =
      picture !== undefined &&
      intersects(bounds, picture.region) &&
      (picture.windowId === undefined || picture.windowId === windowId);
    return { target, words: visible(wordsOfName(target)), ...(isSeen && { bounds }) };
  });
  if (picture === undefined) return { controls };
  const { announced, bytes } = picture.taken;
  const base64 = Buffer.from(bytes).toString('base64');
  return { controls, picture: { mediaType: announced.mediaType, base64, region: picture.region } };
}

function wantedBy({ target, expect }: ProcedureStep, isExpectation: boolean): string {
  if (isExpectation) return expectedWords(expect ?? {});
  return target === undefined ? '' : wordsOfName(target);
}

function expectedWords({ window, element, text, file, exitCode }: Expectation): string {
  if (exitCode !== undefined) return `the exit code ${exitCode}`;
  if (file !== undefined) return typeof file === 'string' ? file : `the file of “${file.$parameter}”`;
  if (window !== undefined) return `a window titled “${window}”`;
  return element === undefined ? `the text “${text}”` : `${element.role ?? 'control'} “${element.name}”`;
}

type Placed = { target: ControlName; bounds: Bounds; windowId: string | null };

/** The controls by their names, those of the wanted app first, equal ones by their number. Those on pages keep the site that was named. */
function controlsIn({ windows, elements }: ScreenDescription, wanted: ControlName | undefined): Placed[] {
  const apps = new Map(windows.map(({ id, app }) => [id, app]));
  const named = elements.flatMap(({ role, name, windowId, bounds }): Placed[] => {
    const app = windowId === null ? undefined : apps.get(windowId);
    if (app === undefined || bounds === null || role === 'window' || name.trim() === '' || name.length > 200) return [];
    const site = wanted?.app === app ? wanted.site : undefined;
    return [{ target: { app, ...(site !== undefined && { site }), role, name }, bounds, windowId }];
  });
  const groups = [...Map.groupBy(named, ({ target }) => JSON.stringify(target)).values()];
  const numbered = groups.flatMap((equal) =>
    equal.length === 1 ? equal : equal.map((each, at) => ({ ...each, target: { ...each.target, nth: at + 1 } })),
  );
  const rank = ({ target: { app, role } }: Placed) => (app === wanted?.app ? 0 : 2) + (role === wanted?.role ? 0 : 1);
  return numbered.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_CONTROLS);
}

const NOTHING_MISSED: Refusal = {
  refused: 'not_found',
  detail: 'No step of a procedure missed its control or its expectation there.',
};
const CHANGED: Refusal = {
  refused: 'confirmation_stale',
  detail: 'The procedure was changed since this run. Run it again, and mend what stops then.',
};
const NOT_SEEN: Refusal = {
  refused: 'device_offline',
  detail: 'The screen could not be looked at. Try again once the agent answers.',
};

/** Procedures as the person sees them: those of all requesters, with their approvals. */
export function createPersonsProcedures(context: Context, parts: Parts) {
  const { procedures, drafts, devices, grants, isKnown, home = '/' } = parts;
  const { store, clock, newId } = context;

  function view(row: ProcedureRow): PersonsProcedure {
    const runs = store.tasks.runsOfProcedure(row.userId, row.procedure.name);
    const [latest] = runs;
    return {
      procedure: viewProcedure(row),
      steps: stepsInWords(row.procedure, home).map((step) => ({ ...step, sentence: visible(step.sentence) })),
      approvals: approvalsOf(row),
      runs: {
        all: runs.reduce((sum, { count }) => sum + count, 0),
        succeeded: runs.find(({ status }) => status === 'success')?.count ?? 0,
        latest: latest?.status,
      },
    };
  }

  const approvalsOf = (row: ProcedureRow): PersonsProcedure['approvals'] =>
    procedures.approvalsOf(row).map(({ id, deviceId, runsLeft = 0, expiresAtMs }) => ({
      grantId: id,
      targetDeviceId: deviceId,
      runsLeft,
      until: termTimestamp(clock, expiresAtMs),
    }));

  /** With their sizes. */
  function* viewsWithin(userId: string, characters: number): Generator<[PersonsProcedure, number]> {
    let left = characters;
    for (const row of store.procedures.of(userId)) {
      const item = view(row);
      const size = JSON.stringify(item).length;
      left -= size;
      if (left < 0) return;
      yield [item, size];
    }
  }

  const kindOf = (userId: string) => (isKnown(userId) ? 'known' : 'strangers');

  const inOrder = (items: readonly PersonsProcedure[]) => ({
    items: items.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other), 'en')),
    leftOut: store.procedures.count() - items.length,
  });

  return {
    /**
     * Those of requesters that the person knows first, as far as one answer has room; each has a share of what the ones before it left.
     * Each is put into words, so that it is done in slices.
     */
    async all(): Promise<{ items: PersonsProcedure[]; leftOut: number }> {
      const slice = createSlice(clock);
      const items: PersonsProcedure[] = [];
      let room = MOST_CHARACTERS;
      const { known = [], strangers = [] } = Object.groupBy(store.procedures.owners(), kindOf);
      for (const owners of [known, strangers]) {
        for (const [index, userId] of owners.entries()) {
          for (const [item, size] of viewsWithin(userId, room / (owners.length - index))) {
            items.push(item);
            room -= size;
            if (slice.isOver()) await slice.next();
          }
        }
      }
      return inOrder(items);
    },
    draft: (source: ProcedureSource): Promise<ProcedureDraft | Refusal> => drafts.draft(null, source),
    hint: drafts.hint,
    mend: (taskId: string, looks: boolean): Promise<ProcedureMend | Refusal> =>
      mendOf(context, parts, { taskId, looks }),
    keep: procedures.keep,
    remove: procedures.remove,
    run: procedures.run,
    /** Approves a procedure of a requester as the person read it: a grant for a time and a number of runs, in place of an earlier one. */
    approve(
      name: string,
      { userId, digest, targetDeviceId, days, runs }: ProcedureApproval,
    ): PersonsProcedure | Refusal {
      const row = procedures.find(userId, name);
      if (isRefusal(row)) return row;
      if (row.digest !== digest) return changedSince(row);
      const device = devices.row(userId, targetDeviceId);
      if (isRefusal(device)) return device;
      const createdAtMs = clock.nowMs();
      const expiresAtMs = createdAtMs + days * DAY_MS;
      const id = newId('grt');
      for (const { grantId, targetDeviceId: deviceId } of approvalsOf(row))
        if (deviceId === targetDeviceId) grants.revoke(grantId);
      store.write('durable', () => {
        store.grants.insert({
          id,
          ...approvalKey(digest),
          userId,
          deviceId: targetDeviceId,
          literal: visible(
            `${machineWords(device.machine)}${literalOf(name, { userId, deviceName: device.name, days, runs })}`,
          ),
          scope: 'always',
          createdAtMs,
          unusedMs: expiresAtMs - createdAtMs,
          expiresAtMs,
          runsLeft: runs,
        });
        const metadata = { grantId: id, scope: 'always', type: approvalKey(digest).actionType } as const;
        store.journal.append(createdAtMs, { kind: 'grant.created', userId, deviceId: targetDeviceId, metadata });
      });
      return view(row);
    },
  };
}

function literalOf(
  name: string,
  { userId, deviceName, days, runs }: { userId: string; deviceName: string; days: number; runs: number },
): string {
  const times = runs === 1 ? 'once' : `${runs} times`;
  const span = days === 1 ? 'within a day' : `within ${days} days`;
  return `“${userId}” can run the procedure “${name}” on ${JSON.stringify(deviceName)} ${times} ${span}.`;
}

function changedSince({ procedure }: ProcedureRow): Refusal {
  return {
    refused: 'confirmation_stale',
    detail: `The procedure “${procedure.name}” was changed since it was shown. Read it again.`,
    countedAs: 'digest_mismatch',
  };
}
