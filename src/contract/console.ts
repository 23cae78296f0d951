import { type Static, Type } from 'typebox';
import { Action } from './action.ts';
import { ConfirmationId, Sha256, Timestamp } from './ids.ts';
import { closed, oneOf } from './literals.ts';

/** What only the person at the dashboard may do. */

export const SessionRequest = Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }, closed);
export const Session = Type.Object({ key: Type.String(), expiresAt: Timestamp }, closed);
export type Session = Static<typeof Session>;

export const ConfirmationStatus = oneOf(['pending', 'allowed', 'denied', 'expired']);
export type ConfirmationStatus = Static<typeof ConfirmationStatus>;

export const GrantScope = oneOf(['once', 'task', 'minutes15', 'untilQuit', 'always']);
export type GrantScope = Static<typeof GrantScope>;

/** The facts of a prompt, in the order in which they are shown. */
export const Prompt = Type.Object(
  {
    requester: Type.Object({ userId: Type.String(), via: oneOf(['http', 'task']), knownSince: Timestamp }, closed),
    sentence: Type.String({ description: 'verb and object' }),
    arguments: Type.String({ description: 'canonical JSON, complete, invisible characters as escapes' }),
    changes: Type.String({ description: 'what it can change, and whether that can be undone' }),
    risk: Type.Object({ level: Type.String(), reasons: Type.Array(Type.String()) }, closed),
    history: Type.String({ description: '"First time" or how often it was allowed before' }),
    reason: Type.Optional(Type.String({ description: "the caller's claim" })),
  },
  closed,
);
export type Prompt = Static<typeof Prompt>;

export const Confirmation = Type.Object(
  {
    id: ConfirmationId,
    nonce: Type.String(),
    actionDigest: Sha256,
    status: ConfirmationStatus,
    createdAt: Timestamp,
    shownAt: Type.Optional(Timestamp),
    answerableAt: Type.Optional(Timestamp),
    expiresAt: Timestamp,
    presenceRequired: Type.Boolean(),
    scopes: Type.Array(GrantScope),
    action: Action,
    prompt: Prompt,
  },
  closed,
);
export type Confirmation = Static<typeof Confirmation>;

export const Decision = Type.Object(
  {
    decision: oneOf(['allow', 'deny']),
    scope: GrantScope,
    nonce: Type.String({ maxLength: 128 }),
    actionDigest: Type.String({ maxLength: 128 }),
    presence: Type.Optional(oneOf(['hold', 'touchId'])),
  },
  closed,
);
export type Decision = Static<typeof Decision>;

export const Hold = Type.Object({ phase: oneOf(['press', 'release']) }, closed);
