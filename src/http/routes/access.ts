import { OwnAccess } from '../../contract/access.ts';
import type { Services } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_USER } from '../openapi.ts';
import { responses, USER_PROBLEMS } from '../responses.ts';

export function addAccessRoutes(app: App, { ownAccess }: Pick<Services, 'ownAccess'>): void {
  const schema = {
    tags: ['Actions'],
    security: AS_USER,
    operationId: 'getAccess',
    summary: 'What the caller may do now: access to apps, grants and folders, with the time left',
    response: responses({ 200: OwnAccess }, USER_PROBLEMS),
  };
  app.get('/access', { schema }, (request, reply) => reply.send(ownAccess(request.userId)));
}
