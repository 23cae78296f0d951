import { Type } from 'typebox';
import { EXAMPLE_DEVICE_ID } from '../../contract/examples.ts';
import { closed } from '../../contract/literals.ts';
import {
  Intent,
  IntentSubmission,
  PersonsProcedure,
  Procedure,
  ProcedureApproval,
  ProcedureDraft,
  ProcedureHint,
  ProcedureMend,
  ProcedureSource,
  ProcedureSubmission,
} from '../../contract/procedure.ts';
import { Task, TaskDryRun } from '../../contract/task.ts';
import type { ConsoleService, Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { LARGE_BODY_BYTES } from '../limits.ts';
import type { HeldCalls } from '../open-calls.ts';
import { AS_PERSON, AS_USER } from '../openapi.ts';
import { idOf, TASK_ID, withExample } from '../path-parts.ts';
import { meaning, queryDocumentation, readQuery, trueOrFalse } from '../query.ts';
import { PROCEDURE_EXAMPLE } from '../record-examples.ts';
import { PERSON_PROBLEMS, responses, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';
import { readSubmission } from '../submission.ts';
import { SUBMISSION_PROBLEMS, submissionAnswer } from './tasks.ts';

const about = { tags: ['Procedures'], security: AS_USER };
const ofPerson = { tags: ['Console'], security: AS_PERSON };
const params = idOf('procedures');
const ofUser = idOf('users');
const named = Type.Object({
  ...ofUser.properties,
  name: Type.String({ maxLength: 100, examples: [PROCEDURE_EXAMPLE.name] }),
});

/** Procedures of the caller, and running them. They allow nothing until the person approves one. */
export function addProcedureRoutes(app: App, { procedures }: Pick<Services, 'procedures'>, heldCalls: HeldCalls): void {
  app.get('/procedures', { schema: LIST }, (request, reply) =>
    reply.send({ items: procedures.list(request.userId), nextCursor: null }),
  );
  app.get('/procedures/:id', { schema: GET }, (request, reply) =>
    reply.send(procedures.get(request.userId, request.params.id)),
  );
  app.put('/procedures', { schema: KEEP, bodyLimit: LARGE_BODY_BYTES }, (request, reply) =>
    reply.send(procedures.keep(request.userId, request.body)),
  );
  app.delete('/procedures/:id', { schema: REMOVE }, (request, reply) => {
    const refusal = procedures.remove(request.userId, request.params.id);
    return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
  });
  app.post('/procedures/draft', { schema: DRAFT }, async (request, reply) =>
    reply.send(await procedures.draft(request.userId, request.body)),
  );
  app.get('/intents', { schema: INTENTS }, (request, reply) =>
    reply.send({ items: procedures.intents(request.userId), nextCursor: null }),
  );
  app.post('/intents', { schema: RUN }, async (request, reply) => {
    const manner = readSubmission(request, reply, heldCalls);
    if (isRefusal(manner)) return manner;
    const answer = await procedures.run({ ...manner.call, body: request.body });
    if (isRefusal(answer)) return answer;
    reply.headers(manner.headers);
    return submissionAnswer(answer, reply);
  });
}

/** The same for the person: everybody's, with the approvals. */
export function addConsoleProcedureRoutes(app: App, { procedures }: ConsoleService): void {
  app.get('/procedures', { schema: ALL }, async (_request, reply) =>
    reply.send({ ...(await procedures.all()), nextCursor: null }),
  );
  app.post('/procedures/draft', { schema: DRAFT_OF_ANYONE }, async (request, reply) =>
    reply.send(await procedures.draft(request.body)),
  );
  app.get('/procedures/hint/:id', { schema: HINT }, async (request, reply) =>
    reply.send(await procedures.hint(request.params.id)),
  );
  app.get('/tasks/:id/mend', { schema: MEND }, async (request, reply) => {
    const query = readQuery(request.query, MEND_QUERY);
    if (isRefusal(query)) return query;
    return reply.send(await procedures.mend(request.params.id, query.values.look === true));
  });
  app.post('/procedures/:id/approve', { schema: APPROVE }, (request, reply) =>
    reply.send(procedures.approve(request.params.id, request.body)),
  );
  app.put('/users/:id/procedures', { schema: KEEP_FOR, bodyLimit: LARGE_BODY_BYTES }, (request, reply) =>
    reply.send(procedures.keep(request.params.id, request.body)),
  );
  app.delete('/users/:id/procedures/:name', { schema: REMOVE_OF }, (request, reply) => {
    const refusal = procedures.remove(request.params.id, request.params.name);
    return refusal === undefined ? reply.code(204).send() : reply.send(refusal);
  });
  app.post('/users/:id/intents', { schema: RUN_FOR }, async (request, reply) => {
    const call = { userId: request.params.id, body: request.body, waitMs: 0, gone: NEVER_GONE };
    const answer = await procedures.run(call);
    return isRefusal(answer) ? answer : submissionAnswer(answer, reply);
  });
}

const NEVER_GONE = new AbortController().signal;

const SOURCE = { name: PROCEDURE_EXAMPLE.name, taskId: TASK_ID };
const INTENT = {
  procedure: PROCEDURE_EXAMPLE.name,
  parameters: { week: '2026-W48' },
  targetDeviceId: EXAMPLE_DEVICE_ID,
};
const APPROVAL = {
  userId: 'ann',
  digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  targetDeviceId: EXAMPLE_DEVICE_ID,
  days: 30,
  runs: 50,
};

const problems = [...USER_PROBLEMS, 'validation_failed', 'not_found'] as const;
const persons = [...PERSON_PROBLEMS, 'approval_requires_person', 'validation_failed', 'not_found'] as const;
const kept = ['parameters_invalid', 'storage_unavailable'] as const;
const itemsOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Null() }, closed);

const AllProcedures = Type.Object(
  {
    ...itemsOf(PersonsProcedure).properties,
    leftOut: Type.Integer({
      description: 'how many more there are: of requesters that were never allowed anything first',
    }),
  },
  closed,
);

const LIST = {
  ...about,
  operationId: 'listProcedures',
  summary: "The caller's procedures",
  response: responses({ 200: itemsOf(Procedure) }, problems),
};
const GET = {
  ...about,
  operationId: 'getProcedure',
  summary: 'One procedure, by its name',
  params,
  response: responses({ 200: Procedure }, problems),
};
const KEEP = {
  ...about,
  operationId: 'putProcedure',
  summary: 'Keep a procedure, or its next version. It allows nothing until the person approves it',
  body: withExample(ProcedureSubmission, PROCEDURE_EXAMPLE),
  response: responses({ 200: Procedure }, [...WRITE_PROBLEMS, ...problems, ...kept]),
};
const REMOVE = {
  ...about,
  operationId: 'deleteProcedure',
  summary: 'Remove a procedure',
  params,
  response: responses({ 204: Type.Null() }, [...WRITE_PROBLEMS, ...problems, 'storage_unavailable']),
};
const DRAFT = {
  ...about,
  operationId: 'draftProcedure',
  summary: 'Make a draft of a procedure from actions, a task or a run of the caller. Nothing is kept',
  body: withExample(ProcedureSource, SOURCE),
  response: responses({ 200: ProcedureDraft }, [...WRITE_PROBLEMS, ...problems, 'action_not_found']),
};
const INTENTS = {
  ...about,
  operationId: 'listIntents',
  summary: 'The procedures that the caller may run without a question now, with their parameters as JSON Schema',
  response: responses({ 200: itemsOf(Intent) }, problems),
};
const RUN = {
  ...about,
  operationId: 'submitIntent',
  summary: 'Run a procedure as a task. Without the approval of the person the task asks, once, for this run',
  body: withExample(IntentSubmission, INTENT),
  headers: Type.Object({
    'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    prefer: Type.Optional(Type.String({ description: '`wait=<0..120>` seconds; without it the answer comes at once' })),
  }),
  response: responses({ 200: Type.Union([Task, TaskDryRun]), 202: Task }, [...SUBMISSION_PROBLEMS, 'not_found']),
};
const ALL = {
  ...ofPerson,
  operationId: 'listAllProcedures',
  summary: "Everybody's procedures, in words, with their approvals and runs",
  response: responses({ 200: AllProcedures }, persons),
};
const DRAFT_OF_ANYONE = {
  ...ofPerson,
  operationId: 'draftProcedureOfAnyone',
  summary: 'Make a draft of a procedure from what any requester did',
  body: withExample(ProcedureSource, SOURCE),
  response: responses({ 200: ProcedureDraft }, [...WRITE_PROBLEMS, ...persons, 'action_not_found']),
};
const HINT = {
  ...ofPerson,
  operationId: 'getProcedureHint',
  summary: 'How often the steps of the run of an action were allowed within a week, where no procedure does them yet',
  params: idOf('actions'),
  response: responses({ 200: ProcedureHint }, [...persons, 'action_not_found']),
};
const MEND_QUERY = { look: meaning(trueOrFalse, 'and the controls that are there now; false by default') };
const MEND = {
  ...ofPerson,
  operationId: 'getProcedureMend',
  summary: 'The step at which a run of a procedure stopped, with its pictures',
  params: idOf('tasks'),
  querystring: queryDocumentation(MEND_QUERY),
  response: responses({ 200: ProcedureMend }, [...persons, 'task_not_found', 'confirmation_stale', 'device_offline']),
};
const APPROVE = {
  ...ofPerson,
  operationId: 'approveProcedure',
  summary: 'Approve a procedure as it was shown, for a requester, a time and a number of runs',
  params,
  body: withExample(ProcedureApproval, APPROVAL),
  response: responses({ 200: PersonsProcedure }, [
    ...WRITE_PROBLEMS,
    ...persons,
    'device_not_found',
    'confirmation_stale',
    'storage_unavailable',
  ]),
};
const KEEP_FOR = {
  ...ofPerson,
  operationId: 'putProcedureOfAnyone',
  summary: 'Keep a procedure for a requester',
  params: ofUser,
  body: withExample(ProcedureSubmission, PROCEDURE_EXAMPLE),
  response: responses({ 200: Procedure }, [...WRITE_PROBLEMS, ...persons, ...kept]),
};
const REMOVE_OF = {
  ...ofPerson,
  operationId: 'deleteProcedureOfAnyone',
  summary: 'Remove a procedure of a requester',
  params: named,
  response: responses({ 204: Type.Null() }, [...WRITE_PROBLEMS, ...persons, 'storage_unavailable']),
};
const RUN_FOR = {
  ...ofPerson,
  operationId: 'submitIntentOfAnyone',
  summary: 'Run a procedure of a requester, or try it: a dry run finds every name now',
  params: ofUser,
  body: withExample(IntentSubmission, INTENT),
  response: responses({ 200: Type.Union([Task, TaskDryRun]), 202: Task }, [...SUBMISSION_PROBLEMS, ...persons]),
};
