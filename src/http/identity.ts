import type { FastifyRequest } from 'fastify';
import type { CallingProgram } from '../contract/program.ts';
import { PROOF_HEADER, readProof } from '../contract/session-proof.ts';
import type { ConsoleService, Services } from '../services/offered-services.ts';
import type { Refusal } from '../services/refusal.ts';
import type { SignedCall } from '../services/sessions/session-proofs.ts';
import { sessionEnded, sessionUnknown, unproved } from '../services/sessions/session-refusals.ts';
import type { App } from './app.ts';
import { type HttpRefusal, refuse } from './problem-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** On whose behalf the call is made; empty outside of `/api/tee` and `/mcp`. */
    userId: string;
    /**
     * The program that sent the request. Looked up when it is first called, which takes milliseconds. `isPassedOn`: the sender says that
     * it passes the request on for the program that started it.
     */
    callingProgram(isPassedOn?: boolean): Promise<CallingProgram>;
    /** The same for the first call of a requester on a connection; nothing for a later one. */
    programOnce(isPassedOn?: boolean): Promise<CallingProgram | undefined>;
  }
  interface FastifyContextConfig {
    /** For a route where the body may say for whom the call is made. */
    namedInBody?: true;
  }
}

const USER_ID = /^[A-Za-z0-9._@:+-]{1,128}$/;

/** Calls in this scope name a user in `x-user-id`, exactly once. Two headers come joined by a comma, which no id has. */
export function requireUserId(scope: App, services: Pick<Services, 'isGenuine'>): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const refusal = userIdRefusal(request.headers['x-user-id']);
    if (refusal !== undefined) return reply.send(refusal);
    request.userId = String(request.headers['x-user-id']);
    if (isGenuine(request, services)) done();
    else reply.send({ ...KEY_REQUIRED, from: request.userId });
  });
}

export function isUserId(text: unknown): text is string {
  return typeof text === 'string' && USER_ID.test(text); // guard I1-1
}

/**
 * The key under which the limits count a call. Calls without a user share one count; the slash in its name keeps it apart
 * from every id.
 */
export function requesterKey(request: Named): string {
  return namedUser(request) ?? '/nobody';
}

type Named = Pick<FastifyRequest, 'headers' | 'userId'>;

/** The user id of the header or, at the MCP door without one, of the name that the client gave itself. */
function namedUser({ headers, userId }: Named): string | undefined {
  const named = headers['x-user-id'] ?? userId;
  return isUserId(named) ? named : undefined;
}

/**
 * Calls in this scope name a user in `x-user-id` or, without the header, by the name that the client gives itself in the body. The limits
 * count such a call once it is named, and before its key is looked at.
 */
export function requireUserOrClient(
  scope: App,
  services: Pick<Services, 'isGenuine'>,
  clientOf: (request: FastifyRequest) => string,
): void {
  scope.addHook('preValidation', (request, reply, done) => {
    const named = request.headers['x-user-id'];
    const refusal = named === undefined ? undefined : userIdRefusal(named);
    if (refusal !== undefined) return reply.send(refusal);
    request.userId = named === undefined ? clientOf(request) : String(named);
    done();
  });
  scope.addHook('preHandler', (request, reply, done) => {
    // guard M3-1 begins
    if (isGenuine(request, services)) done();
    else reply.send({ ...KEY_REQUIRED, from: request.userId }); // guard M3-1 ends
  });
}

/** Whether only the body says for whom the call is made. */
export function isNamedInBody({ headers, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.namedInBody === true && headers['x-user-id'] === undefined;
}

function userIdRefusal(came: string | string[] | undefined): HttpRefusal | undefined {
  if (came === undefined) {
    return refuse('user_id_required', 'Say in the header x-user-id on whose behalf the call is made.');
  }
  if (isUserId(came)) return undefined;
  return refuse('user_id_invalid', 'One x-user-id is expected: 1 to 128 characters of A-Z a-z 0-9 . _ @ : + -');
}

/** Whether the call is of a requester that the person knows, and carries its key where one is needed. */
export function isKnownRequester(request: FastifyRequest, services: Pick<Services, 'isGenuine' | 'isKnown'>): boolean {
  const userId = namedUser(request);
  return userId !== undefined && services.isKnown(userId) && isGenuine(request, services);
}

/** Whether the call may be believed that it is made for the user it names. */
export function isGenuine(request: FastifyRequest, services: Pick<Services, 'isGenuine'>): boolean {
  return services.isGenuine(namedUser(request) ?? '', bearerToken(request) || undefined);
}

/** Calls in this scope come from the person at the dashboard: with the session key, and as nobody else. */
export function requireSession(scope: App, console: ConsoleService): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const refusal = isPerson(request, console) ? originRefusal(request) : sessionRefusal(request, console);
    if (refusal === undefined) done();
    else reply.send(refusal);
  });
}

/** A key that never was a session's shows a program that guesses. */
function sessionRefusal(request: FastifyRequest, console: ConsoleService): Refusal {
  const key = bearerToken(request);
  const why = console.sessions.whyEnded(key);
  if (why !== undefined) return sessionEnded(why);
  const fault = console.sessions.proofFault(key, signedCall(request));
  if (fault !== undefined) return unproved(fault);
  return key === '' || console.sessions.wasOpen(key) ? sessionUnknown : WRONG_KEY;
}

/**
 * As `requireSession`, for calls that decide for the person: a requester without the person's key is told that a person is
 * required. Reading decides nothing, and does not count as an attempt.
 */
export function requirePerson(scope: App, console: ConsoleService): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const { headers, method } = request;
    const isRequester = headers['x-user-id'] !== undefined || headers.authorization === undefined;
    // guard A2-1
    if (isRequester && method !== 'GET' && method !== 'HEAD') reply.send(PERSON_REQUIRED);
    else done();
  });
  requireSession(scope, console);
}

/** Writes must come from our own page; whether an Origin is ours, the perimeter has checked. */
export function originRefusal({ method, headers }: FastifyRequest): HttpRefusal | undefined {
  if (method === 'GET' || method === 'HEAD' || headers.origin !== undefined) return undefined;
  return refuse('origin_not_allowed', 'Only the dashboard may do this: its Origin is expected, none came.');
}

/** The token of `Authorization: Bearer <token>`, or an empty string. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return /^Bearer ([!-~]{1,512})$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

const KEY_REQUIRED = refuse(
  'user_key_invalid',
  'The person locked this user id with a key: Authorization: Bearer <key> is expected, and none or another one came.',
);

const WRONG_KEY: Refusal = { ...sessionUnknown, countedAs: 'session_key_unknown' };

const PERSON_REQUIRED = refuse(
  'approval_requires_person',
  'Only the person at the dashboard can answer this; a caller with x-user-id, or without their session, cannot.',
);

/** Whether the call carries the key of a living session with the proof of its page, and names nobody else. */
export function isPerson(request: FastifyRequest, console: Pick<ConsoleService, 'sessions'>): boolean {
  const known = ARE_PERSON.get(request);
  if (known !== undefined) return known;
  const key = bearerToken(request);
  const isOpen =
    key !== '' && request.headers['x-user-id'] === undefined && console.sessions.isOpen(key, signedCall(request)); // guard A2-2
  ARE_PERSON.set(request, isOpen);
  return isOpen;
}

/** A proof is good once, so each call is looked at once. */
const ARE_PERSON = new WeakMap<FastifyRequest, boolean>();

function signedCall({ method, raw, headers }: FastifyRequest): SignedCall {
  return { method, target: String(raw.url), proof: headers[PROOF_HEADER] };
}

/** A call of the person is refused where its body is not the one that the proof is of. */
export function addBodyProofs(app: App, console: Pick<ConsoleService, 'sessions'>): void {
  app.addHook('preValidation', (request, reply, done) => {
    const proof = readProof(request.headers[PROOF_HEADER]);
    if (proof === undefined || proof.bodyDigest === request.bodyDigest || !isPerson(request, console)) done();
    else reply.send(unproved('proof_of_other_body')); // guard A27-4
  });
}
