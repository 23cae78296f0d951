import { Type } from 'typebox';
import { ACTION_STATUSES } from '../../contract/action.ts';
import { ActivityDetail, ListedAction } from '../../contract/activity.ts';
import { pageOf } from '../../contract/list.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import { Run } from '../../contract/run.ts';
import type { ConsoleService } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf } from '../path-parts.ts';
import {
  instant,
  meaning,
  PAGE,
  pageRequest,
  type Query,
  queryDocumentation,
  readQuery,
  text,
  words,
} from '../query.ts';
import { ARTIFACT_ANSWER, listAnswer, PERSON_PROBLEMS, responses, sendArtifact } from '../responses.ts';

const about = { tags: ['Console'], security: AS_PERSON };
const runFileAnswer = { content: { 'text/html': { schema: Type.String() } } };
const FILTER = {
  ...PAGE,
  requester: meaning(text, 'a user id'),
  type: meaning(commaList(), 'comma list of action types'),
  status: words(ACTION_STATUSES),
  risk: words(RISK_LEVELS),
  deviceId: text,
  task: meaning(text, 'the id of a task, or `none`'),
  text: meaning(text, 'stands in the details, the type, the requester or the reason'),
  since: instant(Date.now),
  until: instant(Date.now),
};

/** The log of the person: the actions of all requesters with filters, one action in full, and its pictures. */
export function addActivityRoutes(app: App, console: ConsoleService): void {
  app.get('/activity', { schema: LIST }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const page = pageRequest(query.values);
    return listAnswer(reply, await console.activity.list(filterOf(query.values), page), query.notices);
  });

  app.get('/runs', { schema: RUNS }, async (request, reply) => {
    const query = readQuery(request.query, FILTER);
    if (isRefusal(query)) return query;
    const page = pageRequest(query.values);
    return listAnswer(reply, await console.runs.list(filterOf(query.values), page), query.notices);
  });

  app.get('/runs/:id', { schema: RUN }, (request) => console.runs.one(request.params.id));

  app.get('/runs/:id/file', { schema: RUN_FILE }, async (request, reply) => {
    const file = await console.runs.save(request.params.id);
    if (isRefusal(file)) return file;
    return reply
      .header('content-disposition', `attachment; filename="handrail-run-${request.params.id.slice(0, 30)}.html"`)
      .type('text/html; charset=utf-8')
      .send(file.page);
  });

  app.get('/activity/:id', { schema: ONE }, (request, reply) => reply.send(console.activity.detail(request.params.id)));

  app.get('/artifacts/:id', { schema: PICTURE }, async (request, reply) => {
    const content = await console.artifacts.openForPerson(request.params.id);
    if (isRefusal(content)) return content;
    return sendArtifact(reply, content);
  });
}

type Values = Query<typeof FILTER>['values'];

function filterOf({ requester, type, status, risk, deviceId, task, text: words, since, until }: Values) {
  return {
    userId: requester,
    types: type,
    statuses: status,
    risks: risk,
    deviceId,
    task,
    text: words,
    sinceMs: since,
    untilMs: until,
  };
}

function commaList() {
  return { read: (came: string) => ({ value: came.split(',').map((word) => word.trim()) }), schema: Type.String() };
}

const problems = [...PERSON_PROBLEMS, 'approval_requires_person', 'validation_failed'] as const;

const LIST = {
  ...about,
  operationId: 'listActivity',
  summary: "Everybody's actions, newest first",
  description:
    'All filters must match. A page may be short, and have a `nextCursor`, where few of the latest actions match.',
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(ListedAction) }, [...problems, 'bad_request']),
};

const RUNS = {
  ...about,
  operationId: 'listRuns',
  summary: "Everybody's runs: the actions of one requester without a break of three minutes, or those of one task",
  description:
    'A run is listed whole where one of its actions matches all filters, and its place is that of the newest of these. A page may be short, and have a `nextCursor`, where few runs match.',
  querystring: queryDocumentation(FILTER),
  response: responses({ 200: pageOf(Run) }, [...problems, 'bad_request']),
};

const RUN = {
  ...about,
  operationId: 'getRun',
  summary: 'The run that an action belongs to',
  params: idOf('runs'),
  response: responses({ 200: Run }, [...problems, 'action_not_found']),
};

const RUN_FILE = {
  ...about,
  operationId: 'getRunFile',
  summary:
    'A run as one HTML file with its pictures and the rows of the journal that prove it; `handrail audit --file` checks it',
  params: idOf('runs'),
  response: responses({ 200: runFileAnswer }, [...problems, 'action_not_found']),
};

const ONE = {
  ...about,
  operationId: 'getActivity',
  summary: 'Everything that is kept about one action',
  params: idOf('activity'),
  response: responses({ 200: ActivityDetail }, [...problems, 'action_not_found']),
};

const PICTURE = {
  ...about,
  operationId: 'getArtifactOfAnyone',
  summary: 'The bytes of an artifact of any requester, for the person',
  params: idOf('artifacts'),
  response: responses({ 200: ARTIFACT_ANSWER }, [...problems, 'artifact_not_found', 'artifact_expired']),
};
