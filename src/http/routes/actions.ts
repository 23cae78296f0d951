import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  ACTION_STATUSES,
  Action,
  type ActionStatus,
  ActionSubmission,
  ActionType,
  DryRun,
} from '../../contract/action.ts';
import { pageOf } from '../../contract/list.ts';
import { closed } from '../../contract/literals.ts';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { ActionFilter, SubmissionAnswer } from '../../services/requester-services.ts';
import type { App } from '../app.ts';
import type { HeldCalls } from '../open-calls.ts';
import { AS_ANYBODY, AS_USER } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { quoted } from '../problem-response.ts';
import { instant, PAGE, pageRequest, type Query, queryDocumentation, readQuery, text, words } from '../query.ts';
import { ARTIFACT_ANSWER, listAnswer, responses, sendArtifact, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';
import { readSubmission, readWait } from '../submission.ts';

const about = { tags: ['Actions'], security: AS_USER };
const params = idOf('actions');
const FILTER = { ...PAGE, status: words(ACTION_STATUSES), deviceId: text, since: instant(Date.now) };

export function addActionRoutes(app: App, services: Pick<Services, 'actions' | 'devices'>, heldCalls: HeldCalls): void {
  const { actions, devices } = services;
  app.post('/actions', { schema: SUBMIT }, async (request, reply) => {
    const manner = readSubmission(request, reply, heldCalls);
    if (isRefusal(manner)) return manner;
    const answer = await actions.submit({ ...manner.call, body: request.body });
    if (isRefusal(answer)) return answer;
    reply.headers(manner.headers);
    return submissionAnswer(answer, reply);
  });

  app.get('/actions', { schema: LIST }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const page = await actions.list(request.userId, filterOf(query), pageRequest(query.values));
    const { deviceId } = query.values;
    const isUnknown = deviceId !== undefined && isRefusal(devices.get(request.userId, deviceId));
    return listAnswer(reply, page, isUnknown ? [...query.notices, unknownDevice(deviceId)] : query.notices);
  });

  app.get('/actions/:id', { schema: GET }, (request, reply) => {
    const wait = readWait(request, reply, heldCalls);
    return isRefusal(wait) ? wait : actions.ended(request.userId, request.params.id, wait);
  });

  app.post('/actions/:id/cancel', { schema: CANCEL }, (request, reply) =>
    reply.code(202).send(actions.cancel(request.userId, request.params.id)),
  );
}

function unknownDevice(deviceId: string): string {
  return `No device ${quoted(deviceId)} is registered for this user; GET /api/tee/devices lists those that are.`;
}

/** The status is about the submission: an accepted action that has not ended, or waits for a person, is 202. */
function submissionAnswer(answer: SubmissionAnswer, reply: FastifyReply) {
  if (answer.kind === 'dryRun') return answer.dryRun;
  const { action, replayed } = answer;
  if (replayed) reply.header('idempotent-replayed', 'true');
  if (action.status === 'blocked') {
    return { refused: 'action_blocked', detail: action.details, facts: { actionId: action.actionId } };
  }
  if (UNFINISHED.includes(action.status)) reply.code(202).header('location', `/api/tee/actions/${action.actionId}`);
  return action;
}

const UNFINISHED: readonly ActionStatus[] = ['awaiting_confirmation', 'queued', 'running'];

function filterOf({ values }: Query<typeof FILTER>): ActionFilter {
  return {
    status: values.status,
    deviceId: values.deviceId,
    sinceMs: values.since,
  };
}

const SUBMIT = {
  ...about,
  operationId: 'submitAction',
  summary: 'Submit an action',
  description:
    'The body may have 64 KiB and 10,000 members (names in objects and items in arrays). At most 500 actions of a user wait for their turn; more are refused with `too_many_pending`.',
  body: ActionSubmission,
  headers: Type.Object({
    'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    prefer: Type.Optional(Type.String({ description: '`wait=<0..120>` seconds, or `respond-async`' })),
  }),
  response: responses({ 200: Type.Union([Action, DryRun]), 202: Action }, [
    ...USER_PROBLEMS,
    ...WRITE_PROBLEMS,
    'idempotency_key_invalid',
    'idempotency_in_progress',
    'idempotency_key_reused',
    'device_not_found',
    'unknown_action_type',
    'parameters_invalid',
    'action_blocked',
    'capability_missing',
    'too_many_pending',
    'requester_paused',
    'device_offline',
    'paused',
  ]),
};

const LIST = {
  ...about,
  operationId: 'listActions',
  summary: "The caller's actions, newest first",
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(Action) }, [...USER_PROBLEMS, 'validation_failed']),
};

const WAIT = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: '`wait=<0..120>` seconds: answer when it has ended, or when the time is over' }),
  ),
});

const GET = {
  ...about,
  operationId: 'getAction',
  summary: 'One action',
  description:
    'Results of a user may have 64 MiB, and of all users 256 MiB; beyond that the oldest are forgotten, and the record has no `data`.',
  params,
  headers: WAIT,
  response: responses({ 200: Action }, [...USER_PROBLEMS, 'action_not_found']),
};

const CANCEL = {
  ...about,
  operationId: 'cancelAction',
  summary: 'Cancel an action that has not ended',
  params,
  response: responses({ 202: Action }, [...USER_PROBLEMS, ...WRITE_PROBLEMS, 'action_not_found', 'already_terminal']),
};

const aboutArtifacts = { tags: ['Artifacts'], security: AS_USER };
const artifactParams = idOf('artifacts');

export function addArtifactRoutes(app: App, { artifacts }: Pick<Services, 'artifacts'>): void {
  app.get('/artifacts/:id', { schema: READ }, async (request, reply) => {
    const content = await artifacts.open(request.userId, request.params.id);
    if (isRefusal(content)) return content;
    return sendArtifact(reply, content);
  });

  app.delete('/artifacts/:id', { schema: REMOVE }, async (request, reply) => {
    const refusal = await artifacts.remove(request.userId, request.params.id);
    return refusal ?? reply.code(204).send();
  });
}

const READ = {
  ...aboutArtifacts,
  operationId: 'getArtifact',
  summary: 'The bytes of an artifact',
  description:
    'Artifacts of a user may have 250 MiB, and of all users 500 MiB; beyond that the oldest are removed and answer `artifact_expired`.',
  params: artifactParams,
  response: responses({ 200: ARTIFACT_ANSWER }, [...USER_PROBLEMS, 'artifact_not_found', 'artifact_expired']),
};

const REMOVE = {
  ...aboutArtifacts,
  operationId: 'deleteArtifact',
  summary: 'Delete an artifact',
  params: artifactParams,
  response: responses({ 204: Type.Null() }, [...USER_PROBLEMS, ...WRITE_PROBLEMS, 'artifact_not_found']),
};

/** The catalogue is the same for everybody, so it needs no `x-user-id`. */
export function addActionTypeRoutes(app: App, { actions }: Pick<Services, 'actions'>): void {
  const schema = {
    tags: ['Actions'],
    security: AS_ANYBODY,
    operationId: 'listActionTypes',
    summary: 'The catalogue: every action type with its risk and the schema of its parameters',
    response: responses({ 200: Type.Object({ items: Type.Array(ActionType), nextCursor: Type.Null() }, closed) }, []),
  };
  app.get('/action-types', { schema }, (_request, reply) => reply.send({ items: actions.types(), nextCursor: null }));
}
