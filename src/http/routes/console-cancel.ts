import type { TSchema } from 'typebox';
import { Action } from '../../contract/action.ts';
import { Task } from '../../contract/task.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

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
