import { ConsoleSeries, MOST_POINTS, OutcomeSeries } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES } from '../../contract/metrics.ts';
import type { GuardianService } from '../../services/guardian/guardian-service.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { AS_PERSON } from '../openapi.ts';
import { meaning, queryDocumentation, readQuery, trueOrFalse, wholeNumber, words } from '../query.ts';
import { PERSON_PROBLEMS, responses } from '../responses.ts';
import { windowParameters, windowRequest } from '../window-query.ts';

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

const about = { tags: ['Console'], security: AS_PERSON };
const problems = [...PERSON_PROBLEMS, 'validation_failed'] as const;

/** Series for the charts of the dashboard. */
export function addConsoleSeriesRoutes(app: App, guardian: GuardianService): void {
  const series = {
    ...about,
    operationId: 'listConsoleSeries',
    summary: 'Metrics over time, with their usual range',
    querystring: queryDocumentation(SERIES),
    response: responses({ 200: ConsoleSeries }, problems),
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
    response: responses({ 200: OutcomeSeries }, problems),
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
