import { ACTION_STATUSES, EffectClass, SideEffect, Verdict } from '../../contract/action.ts';
import { GrantScope } from '../../contract/console.ts';
import { FolderAccess, UndoKind } from '../../contract/files.ts';
import { INSIGHT_CATEGORIES } from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { CancelReason } from '../../contract/link.ts';
import { RISK_CAUSES } from '../../contract/risk.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import { STEP_STATUSES, TASK_STATUSES, UnknownResolution } from '../../contract/task.ts';

/** Tells whether a value that was stored as JSON is a fact of a kind. */
type Fact<Value> = (value: unknown) => value is Value;

const text = (value: unknown): value is string => typeof value === 'string';

const amount = (value: unknown): value is number => typeof value === 'number';

const flag = (value: unknown): value is boolean => typeof value === 'boolean';

const texts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(text);

function oneOf<const Word extends string>(words: readonly Word[]): Fact<Word> {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is Word => known.has(value);
}

function nullable<Value>(fact: Fact<Value>): Fact<Value | null> {
  return (value): value is Value | null => value === null || fact(value);
}

/** A fact that not every event of its kind carries. */
function optional<Value>(fact: Fact<Value>): Fact<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || fact(value);
}

/** The facts of one kind of event, by name. */
export type FactTable = { readonly [name: string]: Fact<unknown> };

type Value<Each> = Each extends Fact<infer Known> ? Known : never;

/** The facts as the daemon writes them: all but the optional ones are there. */
export type WrittenFacts<Table extends FactTable> = {
  [Name in keyof Table as undefined extends Value<Table[Name]> ? never : Name]: Value<Table[Name]>;
} & {
  [Name in keyof Table as undefined extends Value<Table[Name]> ? Name : never]?: Exclude<Value<Table[Name]>, undefined>;
};

/** The facts as the journal has them: another version of the daemon may have written fewer. */
export type RecordedFacts<Table extends FactTable> = {
  [Name in keyof Table]?: Exclude<Value<Table[Name]>, undefined>;
};

/** The step that an action is an attempt of, if it is one. */
const STEP = { taskId: optional(text), stepId: optional(text) };

/** A change of an action: its new status. */
const CHANGE = { status: oneOf(ACTION_STATUSES), ...STEP };

/** An end without an approval: the prompt, if there was one, and for how many ms the denial was held back before. */
const UNAPPROVED = { ...CHANGE, confirmationId: optional(text), heldMs: optional(amount) };

/** An end of an attempt. */
const OUTCOME = { ...CHANGE, sideEffect: optional(oneOf(SideEffect.enum)) };

const FAILURE = { ...OUTCOME, errorCode: optional(nullable(text)) };

/** The life of an action, and of the pictures it made. They name its requester, its device and the action. */
export const ACTION_EVENTS = {
  /**
   * A requester submitted it and the rules judged it. `by`: the id of the grant, access or plan that let it through, or `profile`. `target`: a
   * digest. `verdict` is null where it could not be judged, as its window was not found.
   */
  'action.requested': {
    type: text,
    risk: oneOf(RISK_LEVELS),
    effectClass: oneOf(EffectClass.enum),
    irreversible: flag,
    verdict: nullable(oneOf(Verdict.enum)),
    by: text,
    digest: text,
    target: nullable(text),
    ...CHANGE,
  },
  'action.allowed': {
    ...CHANGE,
    confirmationId: optional(text),
    scope: optional(oneOf(GrantScope.enum)),
    presence: optional(nullable(text)),
    waitedMs: optional(amount),
  },
  /** It waited for the person, and the rules changed and let it through. `by`: as for `action.requested`. */
  'action.released': { ...CHANGE, by: optional(text), risk: optional(oneOf(RISK_LEVELS)) },
  'action.denied': { ...UNAPPROVED, because: optional(text) },
  'action.expired': UNAPPROVED,
  /** An attempt is about to be sent. The first is 1. */
  'action.dispatched': { ...CHANGE, attempt: optional(amount) },
  /** `attachments`: SHA-256 of its pictures and outputs. `notKept`: they could not be written to disk. */
  'action.succeeded': { ...OUTCOME, effect: optional(text), attachments: optional(texts), notKept: optional(flag) },
  /** A script that failed has outputs all the same. */
  'action.failed': { ...FAILURE, attachments: optional(texts), notKept: optional(flag) },
  /** No agent came in time, or the window it names was not found. */
  'action.undeliverable': FAILURE,
  /** It was called off before it was sent. */
  'action.withdrawn': CHANGE,
  /** The agent stopped it. */
  'action.stopped': OUTCOME,
  /** It was sent, and its outcome will never come. */
  'action.lost': FAILURE,
  /** `withTask`: its task is cancelled, and the action with it. */
  'action.cancel_requested': { by: optional(text), withTask: optional(flag), ...STEP },
  /** A picture of an input's target, for the person alone. */
  'artifact.kept': { sha256: text },
  'artifact.removed': { sha256: text },
  'artifact.expired': { sha256: text },
};

/** Prompts for actions and for plans. They name the prompt, and the action if it is for one. */
export const PROMPT_EVENTS = {
  /** It can be allowed `delayMs` after. `characters`: the length of the text that was to be read. */
  'confirmation.shown': {
    delayMs: amount,
    onScreenMs: optional(amount),
    openedToEnd: optional(flag),
    characters: optional(amount),
    taskId: optional(text),
  },
  /** The person was called to a prompt that waits. */
  'confirmation.called': {},
  /** The rules changed, so it was judged anew: it has this risk, and has to be shown again. */
  'confirmation.renewed': { risk: oneOf(RISK_LEVELS) },
  /** The person wanted more time to answer it. */
  'confirmation.extended': { leftMs: amount },
  'confirmation.denial_held': { heldMs: amount },
  'confirmation.denial_undone': {},
};

const TASK = { taskId: text };

/** `because`: why the plan ended by itself. `heldMs`: for how long a denial was held back before it was recorded. */
const PLAN_END = { ...TASK, because: optional(text), heldMs: optional(amount) };

/**
 * `steps`: how many it has; `succeeded`: how many of them succeeded so far. `workedMs`: without the time it waited for the person. `by`: who cancelled it. `because`
 * is `denied` where the person denied it, `interrupted` where they took the mouse. `intervened`: the person cancelled it, or a step of it, after it had begun.
 */
const TASK_CHANGE = {
  ...TASK,
  status: oneOf(TASK_STATUSES),
  steps: amount,
  succeeded: amount,
  workedMs: optional(amount),
  by: optional(text),
  because: optional(text),
  intervened: optional(flag),
};

/** The life of a task, of its steps, and of the prompt for its plan. They name the requester. */
export const TASK_EVENTS = {
  'task.submitted': { ...TASK, steps: amount, types: texts },
  'task.started': TASK,
  'task.needs_attention': TASK_CHANGE,
  'task.ended': TASK_CHANGE,
  'task.cancel_requested': { ...TASK, because: oneOf(CancelReason.enum), by: text },
  /** `stepStatus` is not called `status`, which is of the task. */
  'task.step_changed': {
    ...TASK,
    stepId: text,
    stepStatus: oneOf(STEP_STATUSES),
    attempts: amount,
    recoveries: amount,
  },
  /** The person said what became of a step whose outcome is unknown. */
  'task.step_resolved': { ...TASK, stepId: text, resolution: oneOf(UnknownResolution.enum) },
  /** `steps`: the ids of the steps that ask, with their action types. */
  'task.plan_asked': { ...TASK, digest: text, risk: oneOf(RISK_LEVELS), steps: texts, types: texts },
  'task.plan_allowed': {
    ...PLAN_END,
    scope: optional(text),
    presence: optional(nullable(text)),
    waitedMs: optional(amount),
  },
  'task.plan_denied': PLAN_END,
  'task.plan_expired': PLAN_END,
  /** No step needs the answer now. */
  'task.plan_withdrawn': PLAN_END,
  /** The plan has changed since it was asked about, so that no approval of it holds. */
  'task.plan_voided': PLAN_END,
};

/** The person's work at the dashboard, and the insights that Guardian told them. */
export const PERSON_EVENTS = {
  'session.opened': { sessionId: text },
  /** The person signed out. */
  'session.closed': {},
  'session.ended': { sessionIds: texts },
  /** A wrong code. `spent`: it was ours, and was used or had expired. `first`: no wrong one came before it since the latest was made. */
  'session.refused': { spent: optional(flag), first: optional(flag) },
  /** A code was entered twice, which ended the sessions that followed from it. */
  'session.code_reused': { sessionIds: texts },
  /** A look of a requester ended the unused code, since it could have shown it. */
  'session.code_seen': {},
  'grant.created': { grantId: text, scope: oneOf(GrantScope.enum), type: text },
  /** `because`: the person did not revoke it, but opened the dashboard in that app. */
  'grant.revoked': { grantId: text, because: optional(text) },
  'profile.changed': { profile: text },
  'profile.removed': { profile: text },
  /** `from`: the profile that held for them before. */
  'profile.assigned': { profile: text, to: text, from: optional(text) },
  /** A folder that requesters may use; `folder` is a digest of its path. */
  'folder.allowed': { to: text, folder: text, access: oneOf(FolderAccess.enum) },
  'folder.removed': { to: text, folder: text },
  /** The person wants the file of an action back. `what`: the action overwrote it or moved it to the trash. */
  'file.undo_requested': { what: oneOf(UndoKind.enum) },
  'file.undone': { what: oneOf(UndoKind.enum) },
  'file.undo_failed': { what: oneOf(UndoKind.enum), errorCode: text },
  'settings.changed': { promptExpiryMs: amount, keepsEvidence: optional(flag), acceptsOtherDaemons: optional(flag) },
  'risk.cause_known': { cause: oneOf(RISK_CAUSES), untilMs: amount },
  /** The person took the mark away: the cause counts again. */
  'risk.cause_counts': { cause: oneOf(RISK_CAUSES) },
  'insight.told': {
    insightId: text,
    severity: oneOf(INSIGHT_SEVERITIES),
    category: oneOf(INSIGHT_CATEGORIES),
    title: text,
  },
  'insight.acknowledged': { insightId: text },
};

/** Requesters, and requests from which no action came. */
export const REQUESTER_EVENTS = {
  'requester.paused': {},
  'requester.resumed': {},
  'requester.key_created': {},
  'requester.key_removed': {},
  /** A requester, or the person for it, kept a procedure or its next version, or removed it. */
  'procedure.kept': { digest: text },
  'procedure.removed': { digest: text },
  /** The program that submitted an action or a task. `because`: why it is unknown. */
  'requester.program': {
    program: text,
    because: optional(text),
    /** The program that made the connection, where another one held it when the request was read. */
    changedFrom: optional(text),
    script: optional(text),
    startedBy: optional(text),
    taskId: optional(text),
  },
  /**
   * Requests that were refused alike within a second. `as`: a finer word than the problem's code. `from`: the host of a web page, or a
   * user id.
   */
  'request.refused': {
    code: text,
    count: amount,
    as: optional(text),
    from: optional(text),
    capability: optional(text),
  },
};

/** The daemon, its agent, the devices, the screen and the journal itself. */
export const MACHINE_EVENTS = {
  'daemon.started': { version: text, instanceId: text },
  'daemon.stopped': {},
  /** Nothing was seen since a time: the machine slept. */
  'daemon.slept': { sinceMs: amount },
  /** The computer's clock was set by so much, and then told `wallMs`. The times of the journal go on as before. */
  'daemon.clock_leapt': { byMs: amount, wallMs: amount },
  /** The emergency stop holds from here on. */
  'daemon.paused': {},
  'daemon.resumed': {},
  /**
   * The database was damaged and is built anew. `lost`: the tables of which rows are missing. With `older` it was whole, and it or
   * the named thing beside it was an older one.
   */
  'daemon.database_renewed': { older: optional(text), lost: texts, areRulesKept: flag },
  'agent.online': { platform: text, bootId: text },
  'agent.lost': {},
  /** `ready`: it is there, and the person denied it no permission. `offline`: it is not started again by itself. */
  'agent.readiness': { ready: flag, offline: flag, missing: texts },
  /** The person starts it again. */
  'agent.start_requested': {},
  /** It broke a rule of the link. `detail`: at most 200 characters. */
  'agent.violation': { violation: text, detail: text },
  /** A result of an attempt that the daemon had given up. */
  'agent.result_ignored': { attempt: text },
  'device.registered': { type: text, capabilities: texts },
  'device.removed': { by: optional(text) },
  /** Every device of every user at once. */
  'device.online': {},
  'device.offline': {},
  /** A machine that the person added. */
  'machine.added': { machine: text, address: text },
  'machine.removed': { machine: text },
  /** The person let the requester act there. */
  'machine.opened': { machine: text },
  'machine.online': { machine: text, platform: text, bootId: text },
  'machine.lost': { machine: text },
  'screen.locked': { because: text },
  'screen.unlocked': {},
  /** Found at start by the anchor (`anchoredSeq`), or by a check of all rows (`brokenAt`). */
  'journal.broken': {
    anchoredSeq: optional(amount),
    brokenAt: optional(nullable(amount)),
    reason: nullable(text),
  },
};
