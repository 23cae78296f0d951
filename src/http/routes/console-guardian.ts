import { Type } from 'typebox';
import { ConsoleSeries, MOST_POINTS, OutcomeSeries } from '../../contract/console-series.ts';
import { Insight, type MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES } from '../../contract/metrics.ts';
import { KnownCause, KnownCauseList, KnownCauseMark, RiskCause } from '../../contract/risk.ts';
import { RequesterTodayList } from '../../contract/telemetry.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { idOf, withExample } from '../path-parts.ts';
import {
  meaning,
  queryDocumentation,
  readQuery,
  trueOrFalse,
  wholeNumber,
  windowParameters,
  windowRequest,
  words,
} from '../query.ts';
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

const about = { tags: ['Console'], security: AS_PERSON };
const params = Type.Object({ cause: withExample(RiskCause, 'action_burst_peak') });
const RISK_PROBLEMS = [...PERSON_PROBLEMS, 'approval_requires_person', ...WRITE_PROBLEMS] as const;

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
  response: responses({ 200: KnownCause }, RISK_PROBLEMS),
};

const UNMARK = {
  ...about,
  operationId: 'unmarkKnownCause',
  summary: 'A cause of risk counts again, at once',
  params,
  response: responses({ 204: Type.Null() }, [...RISK_PROBLEMS, 'not_found']),
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

const USUAL_POINTS = 60;
const DAY_MS = 86_400_000;
const WINDOW = {
  ...windowParameters('24h'),
  points: meaning(
    wholeNumber({ from: 2, to: MOST_POINTS, usually: USUAL_POINTS }),
    'in how many parts to cut the window, at most; parts have lengths such as 5 minutes, an hour or a day',
  ),
};
const SERIES = {
  ...WINDOW,
  metric: meaning(words(METRIC_TYPES), 'only these metrics; all by default'),
  usual: meaning(trueOrFalse, 'with the usual range of each point; false by default'),
  breakdown: meaning(
    trueOrFalse,
    'with the counts by requester, type and device, where one metric is asked for; false by default',
  ),
};

const SERIES_PROBLEMS = [...PERSON_PROBLEMS, 'validation_failed'] as const;

/** Series for the charts of the dashboard. */
export function addConsoleSeriesRoutes(app: App, guardian: GuardianService): void {
  const series = {
    ...about,
    operationId: 'listConsoleSeries',
    summary: 'Metrics over time, with their usual range',
    querystring: queryDocumentation(SERIES),
    response: responses({ 200: ConsoleSeries }, SERIES_PROBLEMS),
  };
  app.get('/guardian/series', { schema: series }, (request, reply) => {
    const query = readQuery(request.query, SERIES);
    if (isRefusal(query)) return reply.send(query);
    const { metric, points = USUAL_POINTS, usual = false, breakdown = false, ...window } = query.values;
    const asked = windowRequest(window, DAY_MS);
    if (isRefusal(asked)) return reply.send(asked);
    const types = METRIC_TYPES.filter((type) => metric === undefined || metric.includes(type));
    const answer = guardian.consoleSeries(asked, {
      types,
      points,
      withUsual: usual,
      breakdownOf: only(types, breakdown),
    });
    return reply.send(query.notices.length === 0 ? answer : { ...answer, notices: query.notices });
  });

  const outcomes = {
    ...about,
    operationId: 'getOutcomes',
    summary: 'The outcomes of actions over time, with prompts and pauses',
    querystring: queryDocumentation(WINDOW),
    response: responses({ 200: OutcomeSeries }, SERIES_PROBLEMS),
  };
  app.get('/guardian/outcomes', { schema: outcomes }, (request, reply) => {
    const query = readQuery(request.query, WINDOW);
    if (isRefusal(query)) return reply.send(query);
    const { points = USUAL_POINTS, ...window } = query.values;
    const asked = windowRequest(window, DAY_MS);
    if (isRefusal(asked)) return reply.send(asked);
    const answer = guardian.outcomes(asked, points);
    return reply.send(query.notices.length === 0 ? answer : { ...answer, notices: query.notices });
  });
}

function only(types: readonly MetricType[], isWanted: boolean): MetricType | undefined {
  return isWanted && types.length === 1 ? types[0] : undefined;
}
