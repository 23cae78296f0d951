import { type TSchema, Type } from 'typebox';
import { ConsoleStatus, StolenSessionAnswer } from '../../contract/console-status.ts';
import { closed } from '../../contract/literals.ts';
import { ConsoleSession, Session, SessionRequest, SignInCode } from '../../contract/session.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { bearerToken, originRefusal } from '../identity.ts';
import { AS_ANYBODY, AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import type { DashboardWatch } from '../peers.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = idOf('sessions');

/** A code has 9 bytes, a public key 182. More than this would only serve a flood. */
const MAX_SIGN_IN_BYTES = 1_024;

/** Sign-in: a one-use code for a session key. Needs our Origin, as every write of the console does. */
export function addSignInRoutes(app: App, console: ConsoleService, dashboards: Pick<DashboardWatch, 'began'>): void {
  const schema = {
    tags: ['Console'],
    security: AS_ANYBODY,
    operationId: 'openSession',
    summary: 'Exchange a one-use code for a session key',
    description: `A body may have ${MAX_SIGN_IN_BYTES} bytes. Five wrong codes a minute are answered with 401, the rest with 429. A code that is sent again ends the session it opened.`,
    body: withExample(SessionRequest, { code: 'K7QM-3XRT' }),
    response: responses({ 200: Session }, [...WRITE_PROBLEMS, ...PERSON_PROBLEMS]),
  };
  // Wrong codes have a limit of their own: under the general one, other programs could use up the person's share.
  const options = { schema, config: { unlimited: true }, bodyLimit: MAX_SIGN_IN_BYTES } as const; // guard D3-1
  app.post('/session', options, async (request, reply) => {
    const { code, publicKey } = request.body;
    const session = originRefusal(request) ?? console.sessions.open(code, { publicKey });
    if ('key' in session) await dashboards.began(request.raw.socket, session.key);
    return reply.send(session);
  });
}

/** The sessions of the person: more of them, which there are, and their ends. */
export function addSessionRoutes(app: App, console: ConsoleService): void {
  const code = changes(
    'createSignInCode',
    'A fresh one-use sign-in code for another window; the one before it, if unused, ends',
    SignInCode,
  );
  app.post('/session/code', { schema: code }, (request, reply) => {
    const made = console.sessions.createCodeIn(bearerToken(request));
    return reply.send(isRefusal(made) ? made : { code: made });
  });
  app.delete(
    '/session',
    { schema: removes('closeSession', 'Sign out: end the session whose key the call carries') },
    (request, reply) => {
      console.sessions.close(bearerToken(request));
      return reply.code(204).send();
    },
  );
  const list = Type.Object({ items: Type.Array(ConsoleSession), nextCursor: Type.Null() }, closed);
  const reads = { ...about, operationId: 'listSessions', summary: 'The sessions that are open, the latest first' };
  app.get('/sessions', { schema: { ...reads, response: responses({ 200: list }, problems) } }, (request, reply) =>
    reply.send({ items: console.sessions.list(bearerToken(request)), nextCursor: null }),
  );
  app.delete(
    '/sessions/:id',
    { schema: { ...removes('endSession', 'End a session, with everything it has open'), params } },
    (request, reply) => {
      const refusal = console.sessions.endById(request.params.id);
      return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
    },
  );
  const answers = {
    ...changes(
      'answerStolenSession',
      'Take back what a session changed whose code was entered twice, or keep it',
      ConsoleStatus,
    ),
    body: withExample(StolenSessionAnswer, { answer: 'take_back' }),
  };
  app.post('/sessions/stolen', { schema: answers }, (request, reply) =>
    reply.send(console.answerStolenSession(request.body)),
  );
  const ended = Type.Object({ ended: Type.Integer() }, closed);
  app.post(
    '/sessions/end-others',
    { schema: changes('endOtherSessions', 'End every session but the one whose key the call carries', ended) },
    (request, reply) => reply.send({ ended: console.sessions.endOthers(bearerToken(request)) }),
  );
}

const problems = [...PERSON_PROBLEMS, 'approval_requires_person', 'not_found', 'storage_unavailable'] as const;

function changes<Answer extends TSchema>(operationId: string, summary: string, answer: Answer) {
  return { ...about, operationId, summary, response: responses({ 200: answer }, [...WRITE_PROBLEMS, ...problems]) };
}

function removes(operationId: string, summary: string) {
  return {
    ...about,
    operationId,
    summary,
    response: responses({ 204: Type.Null() }, [...WRITE_PROBLEMS, ...problems]),
  };
}
