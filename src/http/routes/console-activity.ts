import { Type } from 'typebox';
import { ACTION_STATUSES, Action } from '../../contract/action.ts';
import { ActivityDetail } from '../../contract/activity.ts';
import { pageOf } from '../../contract/list.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { listAnswer } from '../list-answer.ts';
import { AS_PERSON } from '../openapi.ts';
import { instant, meaning, PAGE, pageRequest, queryDocumentation, readQuery, text, words } from '../query.ts';
import { PERSON_PROBLEMS, responses } from '../responses.ts';
import { ARTIFACT_ANSWER, sendArtifact } from '../send-artifact.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const params = Type.Object({ id: Type.String({ maxLength: 128 }) });
const FILTER = {
  ...PAGE,
  requester: meaning(text, 'a user id'),
  type: meaning(commaList(), 'comma list of action types'),
  status: words(ACTION_STATUSES),
  risk: words(RISK_LEVELS),
  deviceId: text,
  since: instant(Date.now),
  until: instant(Date.now),
};

/** The log of the person: the actions of all requesters with filters, one action in full, and its pictures. */
export function addActivityRoutes(app: App, console: ConsoleService): void {
  app.get('/activity', { schema: LIST }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const { requester, type, status, risk, deviceId, since, until, ...page } = query.values;
    const filter = {
      ...(requester !== undefined && { userId: requester }),
      ...(type !== undefined && { types: type }),
      ...(status !== undefined && { statuses: status }),
      ...(risk !== undefined && { risks: risk }),
      ...(deviceId !== undefined && { deviceId }),
      ...(since !== undefined && { sinceMs: since }),
      ...(until !== undefined && { untilMs: until }),
    };
    return listAnswer(reply, await console.activity.list(filter, pageRequest(page, request)), query.notices);
  });

  app.get('/activity/:id', { schema: ONE }, (request, reply) => reply.send(console.activity.detail(request.params.id)));

  app.get('/artifacts/:id', { schema: PICTURE }, async (request, reply) => {
    const content = await console.artifacts.openForPerson(request.params.id);
    if (isRefusal(content)) return content;
    return sendArtifact(reply, content);
  });
}

function commaList() {
  return { read: (came: string) => ({ value: came.split(',').map((word) => word.trim()) }), schema: Type.String() };
}

const problems = [...PERSON_PROBLEMS, 'approval_requires_person', 'validation_failed'] as const;

const LIST = {
  ...about,
  summary: "Everybody's actions, newest first",
  description:
    'All filters must match. A page may be short, and have a `nextCursor`, where few of the latest actions match.',
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(Action) }, [...problems, 'bad_request']),
};

const ONE = {
  ...about,
  summary: 'Everything that is kept about one action',
  params,
  response: responses({ 200: ActivityDetail }, [...problems, 'action_not_found']),
};

const PICTURE = {
  ...about,
  summary: 'The bytes of an artifact of any requester, for the person',
  params,
  response: responses({ 200: ARTIFACT_ANSWER }, [...problems, 'artifact_not_found', 'artifact_expired']),
};
