import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import type { RiskLevel } from '../../contract/action.ts';
import type {
  ActionConfirmation as ActionPrompt,
  Confirmation,
  GrantScope,
  PlanConfirmation as PlanPrompt,
  Prompt,
} from '../../contract/console.ts';
import type { Display } from '../../contract/device.ts';
import { doing } from '../../contract/doing.ts';
import type { ResolvedPath } from '../../contract/files.ts';
import { ONLY_ONCE } from '../../contract/first-layer.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn, isHiddenPlace } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { offeredScopes } from '../../domain/grant.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type {
  ActionConfirmation,
  ConfirmationRow,
  PendingConfirmation,
  PlanConfirmation,
} from '../../store/records/confirmations.ts';
import { viewAction } from '../actions/action-view.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { Context } from '../context.ts';
import { accessOffer } from '../permissions/access.ts';
import type { Grants } from '../permissions/grants.ts';
import { contentsOf, controlsOf, deviceWords, scriptOf, sentenceOf, visible, windowOf } from '../prompt-words.ts';
import { visibleProgram } from '../requesters/calling-programs.ts';
import { termTimestamp, timestamp } from '../steady-clock.ts';
import { actionOf, grantable, type Subject } from './answer.ts';
import { planNeedsPresence, planRisk } from './plan-risk.ts';
import { planPrompt, type Queued } from './plan-view.ts';
import { type Plans, planDigest } from './plans.ts';
import { pictured } from './target-pictures.ts';

type PromptParts = Queued & { row: ConfirmationRow; calledAtMs: number | undefined };

type Of = {
  live: LiveActions;
  grants: Grants;
  plans: Pick<Plans, 'stepsOf'>;
  displays(deviceId: string): readonly Display[];
};

/** A confirmation as the dashboard sees it. */
export function viewConfirmation(context: Context, of: Of, parts: PromptParts): Confirmation {
  const { row, calledAtMs, ...queued } = parts;
  return {
    id: row.id,
    nonce: row.nonce,
    actionDigest: row.actionDigest,
    ...viewTimes(context, row, calledAtMs),
    ...(row.kind === 'plan' ? ofPlan(context, of, { row, queued }) : ofAction(context, of, { row, ...queued })),
  };
}

type Times = Pick<Confirmation, 'status' | 'createdAt' | 'calledAt' | 'shownAt' | 'answerableAt' | 'expiresAt'>;

/** Whether the person must show that they are there to allow an action. */
function needsPresence(live: LiveActions, action: ActionRow): boolean {
  return isAtLeast(action.risk.level, 'high') || live.assessmentOf(action)?.needsPresence === true;
}

/** The status of a prompt, and since when. */
export function viewTimes(
  { clock }: Pick<Context, 'clock'>,
  row: PendingConfirmation,
  calledAtMs: number | undefined,
): Times {
  return {
    status: row.status,
    createdAt: timestamp(row.createdAtMs),
    calledAt: timestamp(calledAtMs),
    shownAt: timestamp(row.shownAtMs),
    ...(row.answerableAtMs === undefined ? {} : { answerableAt: termTimestamp(clock, row.answerableAtMs) }),
    expiresAt: termTimestamp(clock, row.expiresAtMs),
  };
}

type Facts = 'kind' | 'question' | 'presenceRequired' | 'scopes' | 'prompt';

function ofPlan(
  context: Context,
  { plans, displays }: Of,
  { row, queued }: { row: PlanConfirmation; queued: Queued },
): Pick<PlanPrompt, Facts | 'plan'> {
  return {
    kind: 'plan',
    presenceRequired: planNeedsPresence(row),
    scopes: [{ scope: 'once', grant: ONLY_ONCE }],
    ...planPrompt(context, { plan: row, askedSteps: plans.stepsOf(row.id), displays }, queued),
  };
}

/**
 * Equal for two actions whose prompts ask a person exactly the same: the action with its requester and targets, its risk, and the
 * program that was found. Another program may use the name of the requester, and the person must see it. Its process may be another.
 */
export function questionOf({ store }: Pick<Context, 'store'>, { id, taskId, digest, risk }: ActionRow): string {
  const program = store.callingPrograms.find(taskId ?? id) ?? null;
  return hash('sha256', canonicalJson([digest, risk, withoutProcesses(program)])); // guard P3-2
}

function withoutProcesses(program: unknown): unknown {
  return JSON.parse(JSON.stringify(program, (name, value) => (name === 'pid' ? undefined : value)));
}

function ofAction(
  context: Context,
  { live, grants, displays }: Of,
  parts: Queued & { row: ActionConfirmation },
): Pick<ActionPrompt, Facts | 'action'> {
  const action = actionOf(live, parts.row);
  const asked = grantable(live, action);
  return {
    kind: 'action',
    question: questionOf(context, action),
    presenceRequired: needsPresence(live, action),
    scopes: scopesOf(live, action).map((scope) => ({ scope, grant: grants.literal(asked, scope) })),
    ...promptOf(context, { live, displays }, { ...parts, action }),
  };
}

/** A folder nearer to the root than this holds too much to be allowed in passing, such as the whole home folder. */
const LEAST_NAMES = 3;

/**
 * The folder that a prompt offers to allow: the one around all paths of the action that lie outside of the allowed folders, as the agent
 * found them. Nothing where it would be a hidden folder, a large part of the disk, or a name that cannot be read as it is, and nothing
 * at critical risk. A folder is allowed on this computer only.
 */
export function offeredFolder(
  { targets, actionType, risk }: Pick<ActionRow, 'targets' | 'actionType' | 'risk'>,
  { outside = [], script, machine }: Pick<Assessment, 'outside' | 'script' | 'machine'>,
): Pick<Prompt, 'folder'> {
  if (machine !== undefined) return {};
  const files = filesIn(targets).filter(({ path }) => outside.includes(path));
  const isFound = outside.length > 0 && outside.every((path) => files.some((file) => file.path === path));
  if (!isFound || files.some(({ secret }) => secret !== undefined) || risk.level === 'critical') return {};
  const access = CATALOGUE.get(actionType)?.effectClass === 'pure' ? 'read' : 'write';
  const isItself = ({ kind }: ResolvedPath) => kind === 'folder' && (access === 'read' || script !== undefined);
  const [path = '', ...others] = new Set(
    files.map((file) => (isItself(file) ? file.realPath : dirname(file.realPath))),
  );
  if (others.length > 0) return {};
  const names = path.split('/').filter((name) => name !== '');
  const isPlain = names.length >= LEAST_NAMES && !isHiddenPlace(path) && visible(path) === path;
  if (!isPlain) return {};
  return { folder: { path, access } };
}

/** The action of a confirmation and the facts of its prompt, in the order in which they are shown. */
function promptOf(
  context: Context,
  { live, displays }: Pick<Of, 'live' | 'displays'>,
  parts: Queued & { row: ActionConfirmation; action: ActionRow },
): Pick<ActionPrompt, 'action' | 'prompt'> {
  const { store } = context;
  const { row, action, place, waiting, history, isStranger, usually } = parts;
  const assessment = assessmentOf(live, action);
  const user = store.users.find(row.userId);
  return {
    action: viewAction(action, { artifacts: [], confirmation: row }),
    prompt: {
      requester: {
        userId: row.userId,
        ...(isStranger && { isStranger }),
        via: action.taskId === undefined ? 'http' : 'task',
        knownSince: timestamp(user?.firstSeenAtMs ?? action.createdAtMs),
        hasKey: user?.keyHash !== undefined,
        ...usually,
        program: visibleProgram(store.callingPrograms.find(action.taskId ?? action.id)),
      },
      device: deviceWords(context, action.deviceId),
      sentence: sentenceOf(assessment),
      arguments: visible(live.argumentsOf(action)),
      ...windowOf(action),
      ...controlsOf(action),
      ...scriptOf(assessment),
      ...contentsOf(assessment),
      ...pictured({ targets: action.targets, region: assessment.region }, displays(action.deviceId)),
      ...offeredFolder(action, assessment),
      access: assessment.asksAccess && accessOffer(assessment.asksAccess),
      changes: assessment.changes,
      risk: action.risk,
      ...taskOf(context, action),
      history: history(row.userId, action.actionType),
      reason: action.reason && visible(action.reason),
      place,
      waiting,
    },
  };
}

/** The step and task of the action, and the later steps that will also ask. */
function taskOf({ store }: Context, { taskId, stepId }: ActionRow): Pick<Confirmation['prompt'], 'task'> {
  const task = taskId === undefined ? undefined : store.tasks.findById(taskId);
  if (task === undefined) return {};
  const plan = store.confirmations.findByTask(task.id);
  const isLetThrough = (id: string) =>
    plan?.status === 'allowed' &&
    plan.voidedAtMs === undefined &&
    plan.steps.some((step) => step.stepId === id && step.consent === 'asked');
  const others = task.steps.filter(
    (step) => step.id !== stepId && step.asks && step.status === 'pending' && !isLetThrough(step.id),
  );
  return {
    task: {
      name: visible(task.name),
      step: task.steps.findIndex(({ id }) => id === stepId) + 1,
      of: task.steps.length,
      alsoAsks: others.map(({ id, actionType }) => `${doing(actionType)} (${id})`),
    },
  };
}

/** The scopes in which an action may be allowed; each but the first becomes a grant. */
function scopesOf(live: LiveActions, action: ActionRow): GrantScope[] {
  const shown = visible(live.argumentsOf(action));
  const byName = assessmentOf(live, action);
  // A grant names the app by its harmless name, so it must not cover the app behind it.
  if (byName.apps.length > 0 && isAtLeast(action.risk.level, 'high') && !isAtLeast(byName.risk.level, 'high'))
    return ['once'];
  return offeredScopes({ ...byName, risk: action.risk }, { arguments: shown, inTask: action.taskId !== undefined });
}

/** The effect of a prompt's action, as a sentence in visible characters. */
export function actionSentence(live: LiveActions, action: ActionRow): string {
  return sentenceOf(assessmentOf(live, action));
}

function assessmentOf(live: LiveActions, action: ActionRow): Assessment {
  const assessment = live.assessmentOf(action);
  if (assessment === undefined) throw new Error(`action ${action.id} was accepted and can no longer be assessed`);
  return assessment;
}

/** Computes the subject of a pending confirmation anew. */
export function subjectOf(live: LiveActions, row: ConfirmationRow): Subject {
  if (row.kind === 'plan') return { digest: planDigest(row), needsPresence: planNeedsPresence(row) };
  const action = actionOf(live, row);
  return { digest: action.digest, needsPresence: needsPresence(live, action) };
}

export function riskOf(live: LiveActions, row: ConfirmationRow): RiskLevel {
  return row.kind === 'plan' ? planRisk(row) : actionOf(live, row).risk.level;
}

/** For how long it may be allowed. A plan is a thing of its own: nothing of it becomes a grant. */
export function scopesFor(live: LiveActions, row: ConfirmationRow): GrantScope[] {
  return row.kind === 'plan' ? ['once'] : scopesOf(live, actionOf(live, row));
}
