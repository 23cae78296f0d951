import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { pageOf } from '../../contract/list.ts';
import { TASK_STATUSES, Task, TaskDryRun, TaskSubmission } from '../../contract/task.ts';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { TaskAnswer, TaskFilter } from '../../services/requester-services.ts';
import type { App } from '../app.ts';
import { LARGE_BODY_BYTES } from '../limits.ts';
import type { HeldCalls } from '../open-calls.ts';
import { AS_USER } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { instant, PAGE, pageRequest, type Query, queryDocumentation, readQuery, words } from '../query.ts';
import { listAnswer, responses, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';
import { readSubmission, readWait } from '../submission.ts';

const about = { tags: ['Tasks'], security: AS_USER };
const params = idOf('tasks');
const FILTER = { ...PAGE, status: words(TASK_STATUSES), since: instant(Date.now) };

export function addTaskRoutes(app: App, { tasks }: Pick<Services, 'tasks'>, heldCalls: HeldCalls): void {
  app.post('/tasks', { schema: SUBMIT, bodyLimit: LARGE_BODY_BYTES }, async (request, reply) => {
    const manner = readSubmission(request, reply, heldCalls);
    if (isRefusal(manner)) return manner;
    const answer = await tasks.submit({ ...manner.call, body: request.body });
    if (isRefusal(answer)) return answer;
    reply.headers(manner.headers);
    return submissionAnswer(answer, reply);
  });

  app.get('/tasks', { schema: LIST }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const page = await tasks.list(request.userId, filterOf(query), pageRequest(query.values));
    return listAnswer(reply, page, query.notices);
  });

  app.get('/tasks/:id', { schema: GET }, (request, reply) => {
    const wait = readWait(request, reply, heldCalls);
    return isRefusal(wait) ? wait : tasks.ended(request.userId, request.params.id, wait);
  });

  app.post('/tasks/:id/cancel', { schema: CANCEL }, (request, reply) =>
    reply.code(202).send(tasks.cancel(request.userId, request.params.id)),
  );
}

/** A task that has not ended within the wait was taken, and says where it is to be found. */
export function submissionAnswer(answer: TaskAnswer, reply: FastifyReply) {
  if (answer.kind === 'dryRun') return answer.dryRun;
  const { task, replayed } = answer;
  if (replayed) reply.header('idempotent-replayed', 'true');
  const hasEnded = task.status === 'success' || task.status === 'failed' || task.status === 'cancelled';
  if (!hasEnded) reply.code(202).header('location', `/api/tee/tasks/${task.taskId}`);
  return task;
}

function filterOf({ values }: Query<typeof FILTER>): TaskFilter {
  return {
    status: values.status,
    sinceMs: values.since,
  };
}

/** Why a task is not taken. */
export const SUBMISSION_PROBLEMS = [
  ...USER_PROBLEMS,
  ...WRITE_PROBLEMS,
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'task_graph_invalid',
  'task_too_large',
  'device_not_found',
  'unknown_action_type',
  'parameters_invalid',
  'capability_missing',
  'requester_paused',
  'too_many_pending',
  'paused',
] as const;

const SUBMIT = {
  ...about,
  operationId: 'submitTask',
  summary:
    'Submit a task: steps that depend on each other. All steps that need approval are asked for once, as one plan',
  description:
    'The body may have 256 KiB and 10,000 members (names in objects and items in arrays). A user may have 20 unfinished tasks with 1,000 steps together; more are refused with `too_many_pending`. A step that the plan allowed is sent within two minutes of its turn, or asks by itself.',
  body: TaskSubmission,
  headers: Type.Object({
    'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    prefer: Type.Optional(Type.String({ description: '`wait=<0..120>` seconds; without it the answer comes at once' })),
  }),
  response: responses({ 200: Type.Union([Task, TaskDryRun]), 202: Task }, SUBMISSION_PROBLEMS),
};

const LIST = {
  ...about,
  operationId: 'listTasks',
  summary: "The caller's tasks, newest first",
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(Task) }, [...USER_PROBLEMS, 'validation_failed']),
};

const WAIT = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: '`wait=<0..120>` seconds: answer when it has ended, or when the time is over' }),
  ),
});

const GET = {
  ...about,
  operationId: 'getTask',
  summary: 'One task with its steps',
  params,
  headers: WAIT,
  response: responses({ 200: Task }, [...USER_PROBLEMS, 'task_not_found']),
};

const CANCEL = {
  ...about,
  operationId: 'cancelTask',
  summary: 'Cancel a task that has not ended',
  params,
  response: responses({ 202: Task }, [...USER_PROBLEMS, ...WRITE_PROBLEMS, 'task_not_found', 'already_terminal']),
};
