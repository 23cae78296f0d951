import { Type } from 'typebox';
import { pageOf } from '../../contract/list.ts';
import { closed } from '../../contract/literals.ts';
import { TASK_ENDS, Task, UnknownResolution } from '../../contract/task.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { listAnswer } from '../list-answer.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import { instant, meaning, PAGE, pageRequest, queryDocumentation, readQuery, text, words } from '../query.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

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
