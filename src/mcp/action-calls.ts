import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Action } from '../contract/action.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { CATALOGUE } from '../domain/catalogue.ts';
import type { Services } from '../services/offered-services.ts';
import { ownDevice } from '../services/own-device.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Caller, Tell } from './caller.ts';
import type { createFormerCalls } from './former-calls.ts';
import { FOR_ITS_WHOLE_LIFE, hold } from './hold.ts';
import { artifactsOf } from './pictures.ts';
import { asFormer, doneResult, failedResult, refusedResult, waitingResult } from './results.ts';
import type { createStandingCalls } from './standing.ts';
import { askingWords, progressWords } from './waiting-words.ts';

export type CallParts = {
  services: Pick<
    Services,
    'actions' | 'tasks' | 'procedures' | 'devices' | 'artifacts' | 'ownAccess' | 'whenDenialChanges'
  >;
  standing: ReturnType<typeof createStandingCalls>;
  formerCalls: ReturnType<typeof createFormerCalls>;
  nowMs(): number;
  platform: NodeJS.Platform;
};

/** As much as the parameters of one action may have over HTTP. */
const MOST_BYTES = 64 * 1024;

/** Performs an action for a client on the daemon's own device. */
export async function callAction(
  { actionType, parameters }: { actionType: string; parameters: Record<string, unknown> },
  parts: CallParts,
  { caller, tell }: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const text = canonicalJson(parameters);
  if (Buffer.byteLength(text) > MOST_BYTES) return refusedWith(caller, tooLarge);
  const { actions } = parts.services;
  const { userId, gone, program } = caller;
  const isLasting = CATALOGUE.get(actionType)?.effectClass !== 'pure';
  const { idempotencyKey, former } = parts.formerCalls.keyed<Action>(caller, {
    words: JSON.stringify([actionType, text]),
    isLasting,
    records: actions,
  });
  const found = await parts.standing.join<Action>({
    key: JSON.stringify([userId, actionType, text]),
    gone,
    async submit() {
      if (former !== undefined) return former;
      const body = { targetDeviceId: ownDeviceId(userId, parts), actionType, parameters };
      const answer = await actions.submit({
        ...{ userId, body, waitMs: 0, gone, program },
        idempotencyKey,
      });
      if (isRefusal(answer)) return answer;
      // Only a dry run has no action, and this is none.
      if (answer.kind === 'dryRun') throw new Error('an action was submitted, and the answer is a dry run');
      return answer.action;
    },
    promptOf: ({ actionId, status }) => (status === 'awaiting_confirmation' ? actionId : undefined),
    standing: (id) => unended(actions.get(userId, id)),
    ended: (id) => actions.ended(userId, id, FOR_ITS_WHOLE_LIFE),
    withdraw(id) {
      const now = actions.get(userId, id);
      if (!isRefusal(now) && now.status === 'awaiting_confirmation') actions.cancel(userId, id);
    },
  });
  if (isRefusal(found)) return refusedWith(caller, found);
  parts.formerCalls.made(found.actionId, { idempotencyKey }, caller, actions);
  const outcome = await outcomeOf(found, parts, { caller, tell });
  return former?.finishedAt === undefined ? outcome : asFormer(outcome, former.createdAt);
}

/** Waits for an action of the caller's own, and gives its result. */
export async function waitForAction(
  actionId: string,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const found = parts.services.actions.get(by.caller.userId, actionId);
  return isRefusal(found) ? refusedWith(by.caller, found) : outcomeOf(found, parts, by);
}

/** The id of the device that stands for this computer. */
export function ownDeviceId(userId: string, { services, platform }: Pick<CallParts, 'services' | 'platform'>): string {
  return ownDevice(userId, { devices: services.devices, platform }).id;
}

export function refusedWith(caller: Caller, refusal: Refusal): CallToolResult {
  caller.refused(refusal);
  return refusedResult(refusal);
}

async function outcomeOf(
  first: Action,
  { services, nowMs, formerCalls }: CallParts,
  { caller, tell }: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { userId, hurry, holdMs } = caller;
  const action = await hold(first, {
    holdMs,
    gone: hurry,
    isOver: hasEnded,
    promptOf: ({ confirmation }) => confirmation,
    whenDenialChanges: services.whenDenialChanges,
    next: (wait) => services.actions.ended(userId, first.actionId, wait),
    tell: (found, progress) => tell(progressWords(found, nowMs()), progress),
    nowMs: () => performance.now(),
  });
  if (isRefusal(action)) return refusedWith(caller, action);
  if (!hasEnded(action)) return waitingResult(action, askingWords(action, nowMs()));
  formerCalls.answered(action.actionId, caller);
  if (action.status !== 'success') return failedResult(action);
  return doneResult(action, await artifactsOf(action, services.artifacts));
}

const UNENDED: readonly Action['status'][] = ['awaiting_confirmation', 'queued', 'running'];

function hasEnded({ status }: Action): boolean {
  return !UNENDED.includes(status);
}

function unended(found: Action | Refusal): Action | undefined {
  return isRefusal(found) || hasEnded(found) ? undefined : found;
}

const tooLarge: Refusal = {
  refused: 'payload_too_large',
  detail: `The arguments of this call may have ${MOST_BYTES} bytes; these have more. Send less.`,
};
