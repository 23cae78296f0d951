import { Insight } from '../../contract/guardian.ts';
import { RequesterTodayList } from '../../contract/telemetry.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const ACKNOWLEDGE = {
  tags: ['Console'],
  security: AS_PERSON,
  operationId: 'acknowledgeInsight',
  summary: 'The person knows of an insight: it stays, and is told of again only when it gets worse',
  params: idOf('insights'),
  response: responses({ 200: Insight }, [
    ...PERSON_PROBLEMS,
    'approval_requires_person',
    ...WRITE_PROBLEMS,
    'not_found',
  ]),
};

const REQUESTERS = {
  tags: ['Console'],
  security: AS_PERSON,
  operationId: 'listRequestersOfToday',
  summary: 'What each requester did today, beside what it did on its days before',
  response: responses({ 200: RequesterTodayList }, PERSON_PROBLEMS),
};

/** The requesters of today, and the person's decisions on insights. */
export function addConsoleInsightRoutes(app: App, guardian: GuardianService): void {
  app.get('/guardian/requesters', { schema: REQUESTERS }, (_request, reply) =>
    reply.send({ items: guardian.requesters({ kind: 'person' }) }),
  );
  app.post('/insights/:id/acknowledge', { schema: ACKNOWLEDGE }, (request, reply) =>
    reply.send(guardian.acknowledge(request.params.id)),
  );
}
