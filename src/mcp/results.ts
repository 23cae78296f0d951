import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Action, Artifact } from '../contract/action.ts';
import { codeOf, deliveryIn, deliveryWords, LOOK_AGAIN } from '../contract/delivery-words.ts';
import type { Task } from '../contract/task.ts';
import type { Refusal } from '../services/refusal.ts';

/** A longer text would fill the window of a model. */
const MOST_CHARACTERS = 100_000;
/** Of the output of one step in the result of its task, so that the last steps are told too. */
const MOST_OF_A_STEP = 4_000;

/** Parts of a result that come beside its text: pictures, and links to larger contents. */
export type Beside = { lines: readonly string[]; blocks: readonly ContentBlock[] };

const NOTHING: Beside = { lines: [], blocks: [] };

/** An action that was done. */
export function doneResult(action: Action, beside: Beside = NOTHING): CallToolResult {
  const { actionId, status, effect, details, data } = action;
  const shown = data === undefined ? [] : [cut(readable(data))];
  const delivery = deliveryWords(action) ?? [];
  return {
    content: [{ type: 'text', text: [details].concat(delivery, beside.lines, shown).join('\n') }, ...beside.blocks],
    structuredContent: { status, actionId, effect, ...(isShort(data) && { data }) },
  };
}

/** The result for an action that did not succeed. The text begins with the stable code. */
export function failedResult(action: Action): CallToolResult {
  const { actionId, status, details, error } = action;
  const code = CODES[status] ?? codeOf(action);
  const retry = error?.retryable === true ? 'It may work if you try again.' : undefined;
  const advice = [error?.fix, ADVICE[code], LOOK_AGAIN[code], deliveryWords(action) ?? retry];
  const output = code === 'script_failed' ? cut(readable(action.data)) : undefined;
  const said = [`${code}: ${error?.message ?? details}`, ...[...advice, output].filter((line) => line !== undefined)];
  return {
    isError: true,
    content: [{ type: 'text', text: said.join('\n') }],
    structuredContent: { status, actionId, error: { code, message: error?.message ?? details }, ...deliveryIn(action) },
  };
}

const CODES: Partial<Record<Action['status'], string>> = { blocked: 'action_blocked' };

/** By code: an action that expired because nobody could be reached has advice of its own. */
const ADVICE: Readonly<Record<string, string>> = {
  denied: 'The person decided this. Do not ask for the same in another way.',
  expired: 'Nobody answered in time. The person may be away: ask once more only if it still matters.',
  action_blocked: 'The rules of the person forbid this. It will not be asked about.',
  unknown: 'It may or may not have happened. Look at the screen before you do anything else.',
};

type Waiting = Pick<Action, 'status' | 'details' | 'confirmation'>;
type Prompt = NonNullable<Waiting['confirmation']>;

/** For a model: who is asked, how long, which tool comes next, and that to ask again is useless. */
export function askingWords(action: Action, nowMs: number): string {
  const next = `wait_for_action with {"actionId":"${action.actionId}"}`;
  if (action.status !== 'awaiting_confirmation')
    return `${action.status}: the action has not ended. Call ${next} to get its outcome. Do not call the same tool again: it would be done twice.`;
  const denied = deniedWords(action.confirmation, nowMs);
  if (denied !== undefined) return `awaiting_confirmation: ${denied} Call ${next} for the end of it.`;
  return [
    `awaiting_confirmation: nothing was done yet. ${action.details}`,
    `The person at this computer is being asked, and has ${leftWords(action.confirmation, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To make the same call again is useless: it finds this same prompt.',
  ].join('\n');
}

/** The same for a task. */
export function taskAskingWords(task: Task, nowMs: number): string {
  const next = `get_task with {"taskId":"${task.taskId}"}`;
  if (task.status === 'needs_attention')
    return `needs_attention: a step was sent and its end was lost. Only the person can say at the Handrail dashboard what became of it. Tell them, and call ${next} later.`;
  const prompt = promptIn(task);
  if (prompt === undefined)
    return `${task.status}: ${ended(task)} Call ${next} to get the rest. To submit the task again is useless: it finds this same one.`;
  const denied = deniedWords(prompt, nowMs);
  if (denied !== undefined) return `awaiting_confirmation: ${ended(task)} ${denied} Call ${next} for the end of it.`;
  return [
    `awaiting_confirmation: ${ended(task)}`,
    `The person at this computer is being asked, and has ${leftWords(prompt, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To submit the task again is useless: it finds this same prompt.',
  ].join('\n');
}

/** The open prompt of a task. Other steps of the task may run meanwhile. */
export function promptIn({ steps }: Task): Prompt | undefined {
  return steps.find(({ confirmation }) => confirmation !== undefined)?.confirmation;
}

/** One line while a call is held. */
export function progressWords(found: Waiting & Pick<Action, 'actionId'>, nowMs: number): string {
  if (found.status !== 'awaiting_confirmation') return `The action ${found.actionId} is ${found.status}.`;
  const denied = deniedWords(found.confirmation, nowMs);
  if (denied !== undefined) return `${found.actionId}: ${denied}`;
  return `${found.actionId}: Waiting for the person at this computer to allow or deny this; they have ${leftWords(found.confirmation, nowMs)} left.`;
}

/** The same for a task. */
export function taskProgressWords(task: Task, nowMs: number): string {
  const prompt = promptIn(task);
  const denied = deniedWords(prompt, nowMs);
  if (denied !== undefined) return `${task.taskId}: ${ended(task)} ${denied}`;
  const asks = `Waiting for the person at this computer to allow or deny it; they have ${leftWords(prompt, nowMs)} left.`;
  return `${task.taskId}: ${prompt === undefined ? ended(task) : `${ended(task)} ${asks}`}`;
}

function ended({ progress: { done, total } }: Task): string {
  return `${done} of ${total} steps have ended.`;
}

/** That the person denied it, while they can still undo that. */
function deniedWords(prompt: Prompt | undefined, nowMs: number): string | undefined {
  if (prompt?.denialFinalAt === undefined) return undefined;
  return `The person denied this; they may still change that for ${secondsUntil(prompt.denialFinalAt, nowMs)} s.`;
}

function secondsUntil(timestamp: string, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(timestamp) - nowMs) / 1_000));
}

/** The time of a prompt runs only while it can be answered, so that this is the least there is. */
function leftWords(prompt: Prompt | undefined, nowMs: number): string {
  if (prompt === undefined) return 'some time';
  return `about ${secondsUntil(prompt.expiresAt, nowMs)} s`;
}

/** An action or a task that has not ended. It is no error. */
export function waitingResult(found: Action | Task, text: string): CallToolResult {
  const id = 'actionId' in found ? { actionId: found.actionId } : { taskId: found.taskId };
  const prompt = 'actionId' in found ? found.confirmation : promptIn(found);
  const status = prompt === undefined ? found.status : 'awaiting_confirmation';
  return {
    content: [{ type: 'text', text }],
    structuredContent: { status, ...id, expiresAt: prompt?.expiresAt },
  };
}

/** A task that has ended, with the outcome and the output of each step. `resultOf`: the action of a step. */
export function taskResult(task: Task, resultOf: (actionId: string) => Action | undefined): CallToolResult {
  const { taskId, status, name } = task;
  const steps = task.steps.map((step) => toldStep(step, step.actionId && resultOf(step.actionId)));
  const lines = [`${status}: the task “${name}” has ended.`, ...steps.flatMap((step) => step.lines)];
  return {
    ...(status !== 'success' && { isError: true }),
    content: [{ type: 'text', text: cut(lines.join('\n')) }],
    structuredContent: { status, taskId, steps: steps.map(({ members }) => members) },
  };
}

function toldStep(step: Step, action: Action | '' | undefined) {
  const { id, actionType, actionId, status, error, details } = step;
  const { data, artifacts = [] } = action || {};
  const output = data === undefined ? '' : readable(data);
  const isCut = output.length > MOST_OF_A_STEP;
  const more = [...(isCut ? ['all of it'] : []), ...artifacts.map(artifactWords)].join(' and ');
  return {
    members: {
      id,
      actionType,
      status,
      actionId,
      error,
      ...(details && { details }),
      ...(output !== '' && !isCut && { data }),
    },
    lines: [
      `- ${id} (${actionType}): ${status}${whyWords(step)}`,
      cut(output, MOST_OF_A_STEP),
      more && `wait_for_action with {"actionId":"${actionId}"} gives ${more}.`,
    ].filter((line) => line !== ''),
  };
}

type Step = Task['steps'][number];

function whyWords({ error, details }: Step): string {
  const why = error === undefined ? details : `${error.code}: ${error.message}`;
  return why === undefined ? '' : `: ${why}`;
}

function artifactWords({ mediaType }: Artifact): string {
  return mediaType.startsWith('image/') ? 'its picture' : 'its content';
}

/** The outcome of the same call before, which nobody has got. */
export function asFormer(result: CallToolResult, createdAt: string): CallToolResult {
  const text = `This is the outcome of the same call of ${createdAt}, which was not answered. It was not done again.`;
  return { ...result, content: [{ type: 'text', text }, ...result.content] };
}

/** A call that was not taken. */
export function refusedResult(refusal: Refusal): CallToolResult {
  const { refused: code, errors, retryAfterSeconds, see } = refusal;
  const detail = see === undefined ? refusal.detail : `${refusal.detail} ${SEE[see]}`;
  const later = retryAfterSeconds === undefined ? '' : `\nTry again in ${retryAfterSeconds} s.`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${detail}${later}` }],
    structuredContent: { status: 'refused', error: { code, message: detail, errors } },
  };
}

const SEE: Record<NonNullable<Refusal['see']>, string> = {
  actionTypes: 'The list of tools describes them.',
  actions: 'list_actions lists them.',
  tasks: 'submit_task gives the id of a task.',
  devices: 'list_devices lists them; without targetDeviceId this computer is meant.',
};

/** Any other value as a result. */
export function valueResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: cut(JSON.stringify(value)) }], structuredContent: value };
}

/** A link to an artifact that a client reads by `resources/read`. */
export function linkTo(uri: string, { mediaType, sizeBytes }: Pick<Artifact, 'mediaType' | 'sizeBytes'>): ContentBlock {
  return {
    type: 'resource_link',
    uri,
    name: mediaType.startsWith('image/') ? 'the whole picture' : 'the whole content',
    mimeType: mediaType,
    size: sizeBytes,
  };
}

/** A text of the result stands as it is, and its other members as JSON. */
function readable(data: unknown): string {
  const { text, ...rest } = Object(data);
  return typeof text === 'string' ? `${text}\n${JSON.stringify(rest)}` : JSON.stringify(data);
}

function cut(text: string, most = MOST_CHARACTERS): string {
  if (text.length <= most) return text;
  const rest = text.length - most;
  return `${text.slice(0, most).toWellFormed()}\n[cut here: ${rest} more characters. Ask for less.]`;
}

function isShort(data: unknown): boolean {
  return data !== undefined && JSON.stringify(data).length <= MOST_CHARACTERS;
}
