import { Type } from 'typebox';
import { ActionType } from '../../contract/action.ts';
import { closed } from '../../contract/literals.ts';
import type { Services } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_ANYBODY } from '../openapi.ts';
import { responses } from '../responses.ts';

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
