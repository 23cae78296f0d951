import { type Static, Type } from 'typebox';
import { SessionId, Timestamp } from './ids.ts';
import { closed, oneOf } from './literals.ts';

/** The person's sessions at the dashboard, and the codes that open them. */

/** The public key of a page, as `session-proof.ts` says. Each call of the session then needs a proof by that page. */
export const PublicKey = Type.String({
  pattern: '^[0-9a-f]{182}$',
  description:
    'P-256, SPKI in DER, as hex: the session then takes only calls with a proof by this key (x-handrail-proof)',
});

export const SessionRequest = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 128 }), publicKey: Type.Optional(PublicKey) },
  closed,
);
export type SessionRequest = Static<typeof SessionRequest>;
/** A fresh one-use code, for another window of the same person. */
export const SignInCode = Type.Object({ code: Type.String() }, closed);

export const Session = Type.Object({ key: Type.String(), expiresAt: Timestamp }, closed);
export type Session = Static<typeof Session>;

/** Why a session is over. A call with its key is told this as `reason`. */
export const SessionEnd = oneOf(['code_reused', 'ended_by_person', 'signed_out', 'idle', 'too_many']);
export type SessionEnd = Static<typeof SessionEnd>;

/** A live session, as the person sees it. The id opens nothing. */
export const ConsoleSession = Type.Object(
  {
    id: SessionId,
    openedAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    isCurrent: Type.Boolean({ description: 'whether it is the session that asks' }),
    program: Type.Optional(Type.String({ description: 'that opened it, where the daemon can find out' })),
  },
  closed,
);
export type ConsoleSession = Static<typeof ConsoleSession>;
