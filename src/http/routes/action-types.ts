import { Type } from 'typebox';
import { ActionType } from '../../contract/action.ts';
import { closed } from '../../contract/literals.ts';
import type { Services } from '../../services/services.ts';
import { answers, USER_PROBLEMS } from '../answers.ts';
import type { App } from '../app.ts';
import { AS_USER } from '../openapi.ts';

export function addActionTypeRoutes(app: App, { actions }: Pick<Services, 'actions'>): void {
  const schema = {
    tags: ['Actions'],
    security: AS_USER,
    summary: 'The catalogue: every action type with its risk and the schema of its parameters',
    response: answers(
      { 200: Type.Object({ items: Type.Array(ActionType), nextCursor: Type.Null() }, closed) },
      USER_PROBLEMS,
    ),
  };
  app.get('/action-types', { schema }, (_request, reply) => reply.send({ items: actions.types(), nextCursor: null }));
}
