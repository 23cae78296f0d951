import type { Intent, IntentSubmission, Procedure, ProcedureSubmission } from '../../contract/procedure.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { boundSchema, placeOf, readArguments } from '../../domain/procedures/bounds.ts';
import { type ProcedureOfTask, procedureDigest } from '../../domain/procedures/cover.ts';
import { namedSteps, parametersIn, procedureFaults, stepsOfRun } from '../../domain/procedures/steps.ts';
import { approvedRisks } from '../../domain/procedures/words.ts';
import type { ProcedureRow } from '../../store/records/procedures.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Context } from '../context.ts';
import type { Grants } from '../permissions/grants.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { TaskAnswer, TaskCall, TaskService } from '../requester-services.ts';
import { termTimestamp, timestamp } from '../steady-clock.ts';

const MINUTE_MS = 60_000;
/** Of one requester; of one that the person never allowed anything; and of all, beyond which only known ones may keep more. */
const MOST_PROCEDURES = { known: 50, stranger: 5, inAll: 500 };
const MOST_CHARACTERS = 50_000;

/** Stands for the type of action in the approval of a procedure, which is a grant. */
export const PROCEDURE = 'Procedure';

export type IntentCall = Omit<TaskCall, 'body' | 'procedure'> & { body: IntentSubmission };

export type Procedures = ReturnType<typeof createProcedures>;

type Parts = {
  tasks: Pick<TaskService, 'submit'>;
  grants: Pick<Grants, 'revoke'>;
  isKnown(userId: string): boolean;
  home: string | undefined;
};

/** Procedures of requesters. Whoever knows a user id may keep them: they allow nothing until the person approves one. */
export function createProcedures(context: Context, { tasks, grants, isKnown, home = '/' }: Parts) {
  const { store, clock } = context;

  /** The approvals of a procedure as it is now, the latest first. One without a run left covers none. */
  function approvalsOf({ userId, digest }: Pick<ProcedureRow, 'userId' | 'digest'>): GrantRow[] {
    const { arguments: bound } = approvalKey(digest);
    const isOfIt = (grant: GrantRow) => isApproval(grant) && grant.userId === userId && grant.arguments === bound;
    return store.grants
      .live(clock.nowMs())
      .filter(isOfIt)
      .toSorted((one, other) => other.createdAtMs - one.createdAtMs);
  }

  /** A device may have been removed since. */
  const hasRun = ({ runsLeft = 0, userId, deviceId }: GrantRow) =>
    runsLeft > 0 && store.devices.find(userId, deviceId) !== undefined;

  function find(userId: string, name: string): ProcedureRow | Refusal {
    const found = store.procedures.find(userId, name);
    if (found !== undefined) return found;
    const names = store.procedures.of(userId).map(({ procedure }) => procedure.name);
    return { refused: 'not_found', detail: noSuchProcedure(userId, name, names) };
  }

  /** Why a procedure can't be kept, if so. */
  function faultOf(userId: string, procedure: ProcedureSubmission): Refusal | undefined {
    const faults = procedureFaults(procedure, home);
    if (faults.length > 0) {
      const [first] = faults;
      const detail = `The procedure can't be kept: ${first?.pointer} ${first?.message}. All faults are in errors.`;
      return { refused: 'parameters_invalid', detail, errors: faults };
    }
    const others = store.procedures.of(userId).filter((other) => other.procedure.name !== procedure.name);
    const { known, stranger, inAll } = MOST_PROCEDURES;
    const most = isKnown(userId) ? known : stranger;
    const hasRoom = others.length < most && (isKnown(userId) || store.procedures.count() < inAll);
    if (hasRoom && JSON.stringify(procedure).length <= MOST_CHARACTERS) return undefined;
    const detail = `A requester may keep ${known} procedures of ${MOST_CHARACTERS} characters each as JSON, one that the person has never allowed anything ${stranger} while all together are fewer than ${inAll}. Remove one, or make it shorter.`;
    return { refused: 'validation_failed', detail };
  }

  return {
    list: (userId: string): Procedure[] => store.procedures.of(userId).map(viewProcedure),
    get(userId: string, name: string): Procedure | Refusal {
      const found = find(userId, name);
      return isRefusal(found) ? found : viewProcedure(found);
    },
    /** Keeps a procedure, or the next version of one. An approval of another version does not cover it. */
    keep(userId: string, procedure: ProcedureSubmission): Procedure | Refusal {
      const fault = faultOf(userId, procedure);
      if (fault !== undefined) return fault;
      const changedAtMs = clock.nowMs();
      store.write('durable', () => {
        store.users.see(userId, changedAtMs);
        const digest = procedureDigest(procedure);
        store.procedures.put({ userId, digest, changedAtMs, procedure });
        store.journal.append(changedAtMs, { kind: 'procedure.kept', userId, metadata: { digest } });
      });
      const kept = find(userId, procedure.name);
      return isRefusal(kept) ? kept : viewProcedure(kept);
    },
    /** Removes a procedure, and with it each approval that is of no procedure of its requester any more. */
    remove(userId: string, name: string): undefined | Refusal {
      const found = find(userId, name);
      if (isRefusal(found)) return found;
      const { digest } = found;
      store.write('durable', () => {
        store.procedures.remove(userId, name);
        store.journal.append(clock.nowMs(), { kind: 'procedure.removed', userId, metadata: { digest } });
      });
      const left = new Set(store.procedures.of(userId).map((row) => approvalKey(row.digest).arguments));
      for (const grant of store.grants.live(clock.nowMs()))
        if (isApproval(grant) && grant.userId === userId && !left.has(grant.arguments)) grants.revoke(grant.id);
      return undefined;
    },
    /** Those that the requester may run without a question now. */
    intents(userId: string): Intent[] {
      return store.procedures.of(userId).flatMap((row) =>
        approvalsOf(row)
          .filter(hasRun)
          .map((grant) => viewIntent(context, row, grant)),
      );
    },
    /** Runs a procedure as a task. Without an approval the task asks for its steps, as any other. */
    async run({ body, ...call }: IntentCall): Promise<TaskAnswer | Refusal> {
      const row = find(call.userId, body.procedure);
      if (isRefusal(row)) return row;
      const { procedure, digest } = row;
      const read = readArguments(procedure, body.parameters, home);
      if (!read.ok) return wrongArguments(procedure.name, read.faults);
      const approvals = approvalsOf(row).filter(hasRun);
      const { targetDeviceId = approvals[0]?.deviceId } = body;
      if (targetDeviceId === undefined) return NO_DEVICE;
      const steps = stepsOfRun(procedure, read.values, targetDeviceId);
      const grant = approvals.find(({ deviceId }) => deviceId === targetDeviceId);
      const of: ProcedureOfTask = {
        name: procedure.name,
        digest,
        grantId: grant?.id,
        untilMs: grant === undefined ? Number.MAX_SAFE_INTEGER : clock.nowMs() + procedure.may.minutes * MINUTE_MS,
        critical: namedSteps(procedure),
        most: approvedRisks(procedure, home),
        folders: foldersOf(procedure, read.values, home),
      };
      const task = { name: `Procedure “${procedure.name}”`, steps, ...(body.dryRun === true && { dryRun: true }) };
      return tasks.submit({ ...call, body: task, procedure: of });
    },
    find,
    approvalsOf,
  };
}

const NO_DEVICE: Refusal = {
  refused: 'validation_failed',
  detail: 'No approval of the procedure names a device, so targetDeviceId has to.',
};

/** What the approval of a procedure is bound to. */
export function approvalKey(digest: string): Pick<GrantRow, 'actionType' | 'arguments'> {
  return { actionType: PROCEDURE, arguments: canonicalJson({ procedure: digest }) }; // guard N54-1
}

export function isApproval({ actionType }: Pick<GrantRow, 'actionType'>): boolean {
  return actionType === PROCEDURE;
}

/** The folders in which each path that came as a parameter must lie: two parameters may have the same value. */
function foldersOf(
  { parameters, steps }: ProcedureSubmission,
  values: Readonly<Record<string, string | number>>,
  home: string,
): Record<string, string[]> {
  const used = new Set(parametersIn(steps).map(({ name }) => name));
  const folders = Object.entries(parameters).flatMap(([name, bound]) => {
    const folder = bound.type === 'path' && used.has(name) ? placeOf(bound.under, home) : undefined;
    return folder === undefined ? [] : [{ path: String(values[name]), folder }];
  });
  const paths = new Set(folders.map(({ path }) => path));
  const around = (path: string) => folders.filter((each) => each.path === path).map(({ folder }) => folder);
  return Object.fromEntries([...paths].map((path) => [path, around(path)]));
}

export function viewProcedure({ procedure, changedAtMs, userId, version, digest }: ProcedureRow): Procedure {
  return { ...procedure, userId, version, digest, changedAt: timestamp(changedAtMs) };
}

function viewIntent({ clock }: Context, { procedure }: ProcedureRow, grant: GrantRow): Intent {
  const { name, description, parameters } = procedure;
  const properties = Object.entries(parameters).map(([each, bound]) => [each, boundSchema(bound)]);
  return {
    procedure: name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(parameters),
      additionalProperties: false,
    },
    targetDeviceId: grant.deviceId,
    runsLeft: grant.runsLeft ?? 0,
    until: termTimestamp(clock, grant.expiresAtMs),
  };
}

function wrongArguments(name: string, faults: readonly { pointer: string; message: string }[]): Refusal {
  const errors = faults.map(({ pointer, message }) => ({ pointer: `/parameters${pointer}`, message }));
  const told = faults.map(({ pointer, message }) => `the parameter ${pointer.slice(1)} ${message}`).join('; ');
  return { refused: 'parameters_invalid', detail: `The procedure “${name}” was not run: ${told}.`, errors };
}

function noSuchProcedure(userId: string, name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
  return `The requester ${userId} has no procedure ${JSON.stringify(name.slice(0, 100))}. ${known}`;
}
