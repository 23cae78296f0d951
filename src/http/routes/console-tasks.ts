import { type TSchema, Type } from 'typebox';
import { Action } from '../../contract/action.ts';
import { pageOf } from '../../contract/list.ts';
import { closed } from '../../contract/literals.ts';
import { TASK_ENDS, Task, UnknownResolution } from '../../contract/task.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import { instant, meaning, PAGE, pageRequest, queryDocumentation, readQuery, text, words } from '../query.ts';
import { listAnswer, PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const FILTER = {
  ...PAGE,
  requester: meaning(text, 'a user id'),
  status: meaning(words(TASK_ENDS), 'how a task stands; `failed` leaves out those that ended only as the others here'),
  since: instant(Date.now),
};
const problems = [...PERSON_PROBLEMS, 'approval_requires_person', 'validation_failed'] as const;

/** Tasks as the person sees them, and the person's word on steps nobody else knows about. */
export function addConsoleTaskRoutes(app: App, console: ConsoleService): void {
  app.get('/tasks', { schema: LIST }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const { requester, status, since, ...page } = query.values;
    const filter = {
      ...(requester !== undefined && { userId: requester }),
      ends: status,
      sinceMs: since,
    };
    return listAnswer(reply, await console.tasks.all(filter, pageRequest(page)), query.notices);
  });

  app.get('/tasks/:id', { schema: ONE }, (request, reply) => reply.send(console.tasks.find(request.params.id)));

  app.post('/tasks/:id/steps/:stepId/resolve', { schema: RESOLVE }, (request, reply) => {
    const { id, stepId } = request.params;
    return reply.send(console.tasks.resolveStep(id, stepId, request.body.resolution));
  });
}

const LIST = {
  ...about,
  operationId: 'listAllTasks',
  summary: "Everybody's tasks, newest first",
  description: 'All filters must match.',
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(Task) }, problems),
};

const ONE = {
  ...about,
  operationId: 'getTaskOfAnyone',
  summary: 'One task of any requester',
  params: idOf('tasks'),
  response: responses({ 200: Task }, [...problems, 'task_not_found']),
};

const RESOLVE = {
  ...about,
  operationId: 'resolveStep',
  summary: 'Say whether an unknown step happened, or begin it anew',
  params: Type.Object({ ...idOf('tasks').properties, stepId: Type.String({ maxLength: 64, examples: ['open'] }) }),
  body: withExample(Type.Object({ resolution: UnknownResolution }, closed), { resolution: 'did_not_happen' }),
  response: responses({ 200: Task }, [...WRITE_PROBLEMS, ...problems, 'task_not_found', 'already_terminal']),
};

/** The person cancels an action or a task of any requester, or puts back what an action took. */
export function addConsoleCancelRoutes(app: App, console: ConsoleService): void {
  const action = cancels('cancelActionOfAnyone', 'Cancel an action that has not ended', Action, 'action_not_found');
  app.post('/actions/:id/cancel', { schema: action }, (request, reply) =>
    reply.code(202).send(console.actions.cancelByPerson(request.params.id)),
  );
  app.post('/actions/:id/undo', { schema: UNDO }, async (request, reply) =>
    reply.send(await console.fileUndos.undo(request.params.id)),
  );
  const task = cancels('cancelTaskOfAnyone', 'Cancel a task that has not ended', Task, 'task_not_found');
  app.post('/tasks/:id/cancel', { schema: task }, (request, reply) =>
    reply.code(202).send(console.tasks.cancelByPerson(request.params.id)),
  );
}

function cancels(
  operationId: string,
  summary: string,
  answer: TSchema,
  notFound: 'action_not_found' | 'task_not_found',
) {
  return {
    tags: ['Console'],
    security: AS_PERSON,
    operationId,
    summary,
    description:
      'The journal says that the person cancelled it. Otherwise the same as the cancel route of its requester.',
    params: idOf(notFound === 'action_not_found' ? 'actions' : 'tasks'),
    response: responses({ 202: answer }, [
      ...PERSON_PROBLEMS,
      ...WRITE_PROBLEMS,
      'approval_requires_person',
      notFound,
      'already_terminal',
    ]),
  };
}

const UNDO = {
  tags: ['Console'],
  security: AS_PERSON,
  operationId: 'undoAction',
  summary: 'Put back the file that an action overwrote or moved to the trash, within 24 hours',
  description:
    'Only the person can do this. A file that was changed since then stays as it is: `undo_not_possible`, with the cause as `reason`, such as `target_changed`, `already_exists`, `target_gone`, `former_removed` or `permission_missing`.',
  params: idOf('actions'),
  response: responses({ 200: Action }, [
    ...PERSON_PROBLEMS,
    ...WRITE_PROBLEMS,
    'approval_requires_person',
    'action_not_found',
    'undo_not_possible',
    'undo_expired',
    'device_offline',
  ]),
};
