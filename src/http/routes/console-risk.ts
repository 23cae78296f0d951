import { Type } from 'typebox';
import { KnownCause, KnownCauseList, KnownCauseMark, RiskCause } from '../../contract/risk.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { withExample } from '../path-parts.ts';
import { PERSON_PROBLEMS, responses, WRITE_PROBLEMS } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = Type.Object({ cause: withExample(RiskCause, 'action_burst_peak') });
const problems = [...PERSON_PROBLEMS, 'approval_requires_person', ...WRITE_PROBLEMS] as const;

const LIST = {
  ...about,
  operationId: 'listKnownCauses',
  summary: 'The causes of risk that the person has marked as known, with the end of each mark',
  response: responses({ 200: KnownCauseList }, PERSON_PROBLEMS),
};

const MARK = {
  ...about,
  operationId: 'markKnownCause',
  summary: 'The person knows a cause of risk: until the end it adds nothing to the score, and no warning tells of it',
  params,
  body: withExample(KnownCauseMark, { until: '2026-06-01T12:00:00.000Z' }),
  response: responses({ 200: KnownCause }, problems),
};

const UNMARK = {
  ...about,
  operationId: 'unmarkKnownCause',
  summary: 'A cause of risk counts again, at once',
  params,
  response: responses({ 204: Type.Null() }, [...problems, 'not_found']),
};

/** The person marks causes of risk as known. A control that fails after the mark counts all the same. */
export function addConsoleRiskRoutes(app: App, guardian: GuardianService): void {
  app.get('/guardian/known-causes', { schema: LIST }, (_request, reply) =>
    reply.send({ items: guardian.knownCauses() }),
  );
  app.put('/guardian/known-causes/:cause', { schema: MARK }, (request, reply) =>
    reply.send(guardian.markKnown(request.params.cause, { untilMs: Date.parse(request.body.until) })),
  );
  app.delete('/guardian/known-causes/:cause', { schema: UNMARK }, (request, reply) => {
    const refusal = guardian.unmarkKnown(request.params.cause);
    return isRefusal(refusal) ? reply.send(refusal) : reply.code(204).send();
  });
}
