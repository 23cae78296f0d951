import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  GuardianDashboard,
  INSIGHT_CATEGORIES,
  INSIGHT_SEVERITIES,
  InsightList,
  METRIC_TYPES,
  MetricList,
  MetricSeries,
  MetricType,
  TREND_WINDOWS,
  TrendList,
} from '../../contract/guardian.ts';
import { pageOf } from '../../contract/list.ts';
import { ActionLogEntry, GROUPINGS, TaskLogEntry, TelemetryMetrics } from '../../contract/telemetry.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { ConsoleService, GuardianService, Services } from '../../services/services.ts';
import { answers } from '../answers.ts';
import type { App } from '../app.ts';
import { bearerToken, isPerson, isUserId } from '../identity.ts';
import { listAnswer } from '../list-answer.ts';
import {
  instant,
  PAGE,
  pageRequest,
  type Query,
  queryDocumentation,
  readQuery,
  trueOrFalse,
  wholeNumber,
  words,
} from '../query.ts';
import { WINDOW, windowRequest } from '../window-query.ts';

const HOUR_MS = 3_600_000;
const METRICS = { ...WINDOW, type: words(METRIC_TYPES) };
const TELEMETRY = { ...WINDOW, by: words(GROUPINGS) };
const SERIES = { ...WINDOW, points: wholeNumber({ from: 1, to: 500, usually: 60 }) };
const LOG = { ...PAGE, since: instant(Date.now) };
const TRENDS = { window: words(TREND_WINDOWS), all: trueOrFalse };
const INSIGHTS = {
  severity: words(INSIGHT_SEVERITIES),
  category: words(INSIGHT_CATEGORIES),
  actionable: trueOrFalse,
  since: instant(Date.now),
  limit: PAGE.limit,
};

type Parts = { guardian: GuardianService; console: ConsoleService; isGenuine: Services['isGenuine'] };

/** Whether the hands and the checks on them still behave. Anybody on this machine may read it; nothing in it is contents. */
export function addGuardianRoutes(app: App, parts: Parts): void {
  addMetricRoutes(app, parts.guardian);
  addTelemetryRoute(app, parts);
  addLogRoutes(app, parts);
  addAssessmentRoutes(app, parts);
}

function addMetricRoutes(app: App, guardian: GuardianService): void {
  app.get('/metrics', { schema: reads('The 23 metrics over a window', MetricList, METRICS) }, (request, reply) => {
    const query = readQuery(request.query, METRICS);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    return reply.send(noticed(guardian.metrics(window, query.values.type), query.notices));
  });

  const series = { ...reads('One metric over time', MetricSeries, SERIES), params: Type.Object({ type: MetricType }) };
  app.get('/metrics/:type/series', { schema: series }, (request, reply) => {
    const query = readQuery(request.query, SERIES);
    if (isRefusal(query)) return reply.send(query);
    const window = windowRequest(query.values, HOUR_MS);
    if (isRefusal(window)) return reply.send(window);
    return reply.send(noticed(guardian.series(request.params.type, window, query.values.points ?? 60), query.notices));
  });
}

function addTelemetryRoute(app: App, parts: Parts): void {
  const schema = reads('Actions, tasks and prompts in numbers', TelemetryMetrics, TELEMETRY);
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
  const actionLog = reads('The latest actions, without their contents', pageOf(ActionLogEntry), LOG);
  app.get('/tee/actions', { schema: actionLog }, (request, reply) => {
    const query = readQuery(request.query, LOG);
    if (isRefusal(query)) return reply.send(query);
    const page = parts.guardian.actionLog(viewerOf(request, parts), logRequest(query));
    return reply.send(listAnswer(page, query.notices));
  });

  const taskLog = reads('The latest tasks, without their contents', pageOf(TaskLogEntry), LOG);
  app.get('/tee/tasks', { schema: taskLog }, (request, reply) => {
    const query = readQuery(request.query, LOG);
    if (isRefusal(query)) return reply.send(query);
    const page = parts.guardian.taskLog(viewerOf(request, parts), logRequest(query));
    return reply.send(listAnswer(page, query.notices));
  });
}

function logRequest({ values }: Query<typeof LOG>) {
  return { ...pageRequest(values), ...(values.since !== undefined && { sinceMs: values.since }) };
}

function addAssessmentRoutes(app: App, parts: Parts): void {
  const { guardian } = parts;
  app.get(
    '/trends',
    { schema: reads('What metrics do compared with their past', TrendList, TRENDS) },
    (request, reply) => {
      const query = readQuery(request.query, TRENDS);
      if (isRefusal(query)) return reply.send(query);
      const trends = guardian.trends(query.values.window);
      const active = trends.filter(({ classification }) => !INACTIVE.includes(classification));
      return reply.send(noticed({ items: query.values.all ? trends : active }, query.notices));
    },
  );

  app.get('/insights', { schema: reads('What is worth knowing', InsightList, INSIGHTS) }, (request, reply) => {
    const query = readQuery(request.query, INSIGHTS);
    if (isRefusal(query)) return reply.send(query);
    const { since, limit, ...filter } = query.values;
    const items = guardian.insights(viewerOf(request, parts), {
      ...filter,
      ...(since !== undefined && { sinceMs: since }),
      limit: limit ?? 50,
    });
    return reply.send(noticed({ items }, query.notices));
  });

  app.get('/dashboard', { schema: reads('Everything at a glance', GuardianDashboard, WINDOW) }, (request, reply) => {
    const query = readQuery(request.query, WINDOW);
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

function reads<Answer extends TSchema>(
  summary: string,
  answer: Answer,
  query: Parameters<typeof queryDocumentation>[0],
) {
  return {
    tags: ['Guardian'],
    summary,
    querystring: queryDocumentation(query),
    response: answers({ 200: answer }, ['validation_failed']),
  };
}
