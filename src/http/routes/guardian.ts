import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  INSIGHT_CATEGORIES,
  InsightList,
  MetricList,
  MetricSeries,
  MetricType,
  TREND_WINDOWS,
  TrendList,
} from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { pageOf } from '../../contract/list.ts';
import { METRIC_TYPES } from '../../contract/metrics.ts';
import { GuardianDashboard } from '../../contract/risk.ts';
import { ActionLogEntry, GROUPINGS, TaskLogEntry, TelemetryMetrics } from '../../contract/telemetry.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import type { ConsoleService, Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { bearerToken, isPerson, isUserId } from '../identity.ts';
import { AS_READER } from '../openapi.ts';
import { withExample } from '../path-parts.ts';
import {
  instant,
  meaning,
  PAGE,
  pageRequest,
  type Query,
  queryDocumentation,
  readQuery,
  trueOrFalse,
  wholeNumber,
  windowParameters,
  windowRequest,
  words,
} from '../query.ts';
import { listAnswer, responses } from '../responses.ts';

const HOUR_MS = 3_600_000;
const HOUR = windowParameters('1h');
const METRICS = { ...HOUR, type: meaning(words(METRIC_TYPES), 'only these metrics; all by default') };
const TELEMETRY = {
  ...HOUR,
  by: meaning(words(GROUPINGS), 'also counts of actions that have the same of these, in `groups`'),
};
const USUAL_POINTS = 60;
const SERIES = {
  ...HOUR,
  points: meaning(
    wholeNumber({ from: 1, to: 500, usually: USUAL_POINTS }),
    'in how many parts to cut the window, at most',
  ),
};
const LOG = { ...PAGE, since: meaning(instant(Date.now), 'only what was asked for since then') };
const TRENDS = {
  window: meaning(words(TREND_WINDOWS), 'only trends over these lengths; all by default'),
  all: meaning(trueOrFalse, 'whether to list those that are stable or cannot be told, too; false by default'),
};
const INSIGHTS = {
  severity: meaning(words(INSIGHT_SEVERITIES), 'only of these; of all by default'),
  category: meaning(words(INSIGHT_CATEGORIES), 'only of these; of all by default'),
  actionable: meaning(trueOrFalse, 'only those with a step to take, or only those without'),
  since: meaning(instant(Date.now), 'only what was seen since then'),
  limit: PAGE.limit,
};
const DASHBOARD = windowParameters('24h');

type Parts = { guardian: GuardianService; console: ConsoleService; isGenuine: Services['isGenuine'] };

/** Whether the hands and the checks on them still behave. Anybody on this machine may read it; nothing in it is contents. */
export function addGuardianRoutes(app: App, parts: Parts): void {
  addMetricRoutes(app, parts.guardian);
  addTelemetryRoute(app, parts);
  addLogRoutes(app, parts);
  addAssessmentRoutes(app, parts);
}

function addMetricRoutes(app: App, guardian: GuardianService): void {
  const metrics = reads({
    operationId: 'listMetrics',
    summary: 'The 23 metrics over a window',
    description:
      'Whether the agent works well, the person’s approvals are considered, and the controls hold: each metric as a value with a status. All 23 unless `type` names some; a value with too few samples is null.',
    answer: MetricList,
    query: METRICS,
  });
  app.get('/metrics', { schema: metrics }, (request, reply) => {
    const query = readQuery(request.query, METRICS);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    return reply.send(noticed(guardian.metrics(window, query.values.type), query.notices));
  });

  const series = reads({
    operationId: 'getMetricSeries',
    summary: 'One metric over time',
    description: 'The value of one metric in each of the equal parts of a window, oldest first, as a chart shows it.',
    answer: MetricSeries,
    query: SERIES,
  });
  const params = Type.Object({ type: withExample(MetricType, 'action_success_rate') });
  app.get('/metrics/:type/series', { schema: { ...series, params } }, (request, reply) => {
    const query = readQuery(request.query, SERIES);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    const { points = USUAL_POINTS } = query.values;
    return reply.send(noticed(guardian.series(request.params.type, window, points), query.notices));
  });
}

function addTelemetryRoute(app: App, parts: Parts): void {
  const schema = reads({
    operationId: 'getTelemetry',
    summary: 'Actions, tasks and prompts in numbers',
    description:
      'The requests of a window, how they ended and how long they took. With `by`, also the number of actions per hour, user, type, risk or status.',
    answer: TelemetryMetrics,
    query: TELEMETRY,
  });
  app.get('/tee/metrics', { schema }, (request, reply) => {
    const query = readQuery(request.query, TELEMETRY);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    const by = query.values.by && GROUPINGS.filter((grouping) => query.values.by?.includes(grouping));
    return reply.send(noticed(parts.guardian.telemetry(viewerOf(request, parts), window, by), query.notices));
  });
}

function addLogRoutes(app: App, parts: Parts): void {
  const actionLog = reads({
    operationId: 'listActionLog',
    summary: 'The latest actions, without their contents',
    description:
      'The requester, type, risk and outcome of each action, newest first. Never parameters, texts or pictures.',
    answer: pageOf(ActionLogEntry),
    query: LOG,
  });
  app.get('/tee/actions', { schema: actionLog }, async (request, reply) => {
    const query = readQuery(request.query, LOG);
    if (isRefusal(query)) return query;
    const page = await parts.guardian.actionLog(viewerOf(request, parts), logRequest(query));
    return listAnswer(reply, page, query.notices);
  });

  const taskLog = reads({
    operationId: 'listTaskLog',
    summary: 'The latest tasks, without their contents',
    description:
      'Which steps a task has and how far each of them is, newest first. Never names, parameters or results.',
    answer: pageOf(TaskLogEntry),
    query: LOG,
  });
  app.get('/tee/tasks', { schema: taskLog }, async (request, reply) => {
    const query = readQuery(request.query, LOG);
    if (isRefusal(query)) return query;
    const page = await parts.guardian.taskLog(viewerOf(request, parts), logRequest(query));
    return listAnswer(reply, page, query.notices);
  });
}

function logRequest({ values }: Query<typeof LOG>) {
  return { ...pageRequest(values), sinceMs: values.since };
}

function addAssessmentRoutes(app: App, parts: Parts): void {
  const { guardian } = parts;
  const trendList = reads({
    operationId: 'listTrends',
    summary: 'Metrics compared with their own past',
    description:
      'Each metric against its own earlier windows of the same length, for lengths from five minutes to thirty days. Stable and unknown trends are left out unless `all` is set.',
    answer: TrendList,
    query: TRENDS,
  });
  app.get('/trends', { schema: trendList }, (request, reply) => {
    const query = readQuery(request.query, TRENDS);
    if (isRefusal(query)) return reply.send(query);
    const trends = guardian.trends(query.values.window);
    const active = trends.filter(({ classification }) => !INACTIVE.includes(classification));
    return reply.send(noticed({ items: query.values.all ? trends : active }, query.notices));
  });

  const insightList = reads({
    operationId: 'listInsights',
    summary: 'Insights: facts worth knowing',
    description:
      'Facts found by rules, each with its number, the actions that show it and advice, latest first. A fact that is found again about the same subject is the same insight. Kept for a week.',
    answer: InsightList,
    query: INSIGHTS,
  });
  app.get('/insights', { schema: insightList }, (request, reply) => {
    const query = readQuery(request.query, INSIGHTS);
    if (isRefusal(query)) return reply.send(query);
    const { since, limit, ...filter } = query.values;
    const items = guardian.insights(viewerOf(request, parts), {
      ...filter,
      sinceMs: since,
      limit: limit ?? 50,
    });
    return reply.send(noticed({ items }, query.notices));
  });

  const everything = reads({
    operationId: 'getDashboard',
    summary: 'Everything at a glance',
    description: 'The risk, warnings, insights, active trends and the 23 metrics in one answer.',
    answer: GuardianDashboard,
    query: DASHBOARD,
  });
  app.get('/dashboard', { schema: everything }, (request, reply) => {
    const query = readQuery(request.query, DASHBOARD);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, 24 * HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    return reply.send(noticed(guardian.dashboard(viewerOf(request, parts), window), query.notices));
  });
}

const INACTIVE: readonly string[] = ['stable', 'insufficient_data'];

/** A call that names a user without being believed is answered as nobody's: there is nothing here to refuse. */
function viewerOf(request: FastifyRequest, { console, isGenuine }: Parts) {
  if (isPerson(request, console)) return { kind: 'person' } as const;
  const userId = request.headers['x-user-id'];
  return isUserId(userId) && isGenuine(userId, bearerToken(request) || undefined)
    ? ({ kind: 'user', userId } as const)
    : ({ kind: 'nobody' } as const);
}

function noticed<Answer extends object>(answer: Answer, notices: string[]): Answer & { notices?: string[] } {
  return notices.length === 0 ? answer : { ...answer, notices };
}

type Read<Answer extends TSchema> = {
  operationId: string;
  summary: string;
  description: string;
  answer: Answer;
  query: Parameters<typeof queryDocumentation>[0];
};

function reads<Answer extends TSchema>({ operationId, summary, description, answer, query }: Read<Answer>) {
  return {
    tags: ['Guardian'],
    security: AS_READER,
    operationId,
    summary,
    description,
    querystring: queryDocumentation(query),
    response: responses({ 200: answer }, ['validation_failed']),
  };
}
