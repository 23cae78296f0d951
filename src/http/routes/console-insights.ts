import { Type } from 'typebox';
import { Insight } from '../../contract/guardian.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const ACKNOWLEDGE = {
  tags: ['Console'],
  security: AS_PERSON,
  summary: 'The person knows of an insight: it stays, and is told of again only when it gets worse',
  params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
  response: responses({ 200: Insight }, [
    ...PERSON_PROBLEMS,
    'approval_requires_person',
    ...WRITE_PROBLEMS,
    'not_found',
  ]),
};

/** The person's decisions on insights. */
export function addConsoleInsightRoutes(app: App, guardian: GuardianService): void {
  app.post('/insights/:id/acknowledge', { schema: ACKNOWLEDGE }, (request, reply) =>
    reply.send(guardian.acknowledge(request.params.id)),
  );
}
