import type { SessionEnd } from '../../contract/session.ts';
import type { ProofFault } from '../../contract/session-proof.ts';
import type { Refusal } from '../refusal.ts';

const FRESH_CODE =
  'Press Enter in the terminal Handrail runs in for a fresh code, or run `npm run login` if there is none.';

export const codeWrong: Refusal = {
  refused: 'console_session_required',
  detail: `The sign-in code is wrong, used or older than ten minutes. ${FRESH_CODE}`,
};

/** Nothing else is known of the program that sends it, so the text is for the person and for a thief alike. */
export const codeReused: Refusal = {
  refused: 'console_session_required',
  detail: `This sign-in code was used before, so Handrail ended the session it had opened. If you entered it only once, another program has read it and was signed in as you: check your grants and the actions that ran. ${FRESH_CODE}`,
  facts: { reason: 'code_reused' satisfies SessionEnd },
};

export const tooManyWrong: Refusal = {
  refused: 'rate_limited',
  detail: `This sign-in code is wrong too, after five within a minute. ${FRESH_CODE} The right code is accepted at once.`,
  retryAfterSeconds: 60,
};

export const tooDeep: Refusal = {
  refused: 'rate_limited',
  detail: `This session was opened by a code of a session that was itself opened by such a code, eight times over. ${FRESH_CODE}`,
  retryAfterSeconds: 60,
};

export const sessionUnknown: Refusal = {
  refused: 'console_session_required',
  detail: 'Sign in at the dashboard: a console call carries Authorization: Bearer <session key>, and no x-user-id.',
};

export const publicKeyWrong: Refusal = {
  refused: 'validation_failed',
  detail: 'The public key is none on P-256. The sign-in code was not used.',
  errors: [{ pointer: '/publicKey', message: 'must be a public key on P-256, SPKI in DER, as hex' }],
};

const UNPROVED: Record<ProofFault, string> = {
  proof_missing: 'this call has no proof (x-handrail-proof)',
  proof_wrong: 'this call has a proof that is not by the key of that page, or is of another call',
  proof_replayed: 'the proof of this call was used before',
  proof_of_other_body: 'the proof of this call is of another body',
};

/** To a call with the key of a session whose page did not sign it. Whoever sends it has a copy of the key, so it counts as an attempt. */
export function unproved(fault: ProofFault): Refusal {
  return {
    refused: 'console_session_required',
    detail: `This session takes only calls that its page has signed, and ${UNPROVED[fault]}. Sign in again.`,
    facts: { reason: fault },
    countedAs: 'session_key_unknown',
  };
}

/** The page that lost its session shows these to the person. */
const ENDED: Record<SessionEnd, string> = {
  code_reused:
    'Someone used your sign-in code again, so Handrail ended that session. If it was not you, another program has read the code: sign in with a fresh one, and check your grants and the actions that ran.',
  ended_by_person: 'This session was ended from another page of the dashboard.',
  signed_out: 'This session was signed out.',
  idle: 'This session was not used for twelve hours, so Handrail ended it.',
  too_many: 'More than 32 sessions were open, so Handrail ended this one, which was not used for the longest time.',
};

/** To a call with the key of a session that has ended. */
export function sessionEnded(why: SessionEnd): Refusal {
  return { refused: 'console_session_required', detail: `${ENDED[why]} ${FRESH_CODE}`, facts: { reason: why } };
}
