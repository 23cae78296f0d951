import { ACTION_STATUSES, EffectClass, SideEffect, Verdict } from '../../contract/action.ts';
import { GrantScope } from '../../contract/console.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import { amount, flag, nullable, oneOf, optional, text, texts } from './facts.ts';

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
