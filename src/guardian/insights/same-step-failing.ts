import { doing } from '../../contract/doing.ts';
import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, Request } from './facts.ts';
import { counted, type Finding, REQUESTER, STEP } from './finding.ts';

const LEAST_FAILURES = 3;
const MOST_STEPS = 5;
const ENDED_BADLY: readonly string[] = ['failed', 'unknown'];
const UNFINISHED: readonly string[] = ['awaiting_confirmation', 'queued', 'running'];

/** One step of tasks fails each time it comes to it. */
export function sameStepFailing({ requests }: Facts): Finding[] {
  const attempts = requests.filter(
    ({ stepId, status, errorCode }) =>
      stepId !== null && !UNFINISHED.includes(status) && !isPersonsInterruption(errorCode),
  );
  const alike = Map.groupBy(attempts, ({ userId, stepId, actionType }) => JSON.stringify([userId, stepId, actionType]));
  return [...alike.values()]
    .map(latestFailures)
    .filter((failures) => failures.length >= LEAST_FAILURES)
    .slice(0, MOST_STEPS)
    .map(findingOf);
}

/** The failed attempts since the step last ended in another way. */
function latestFailures(attempts: readonly Request[]): readonly Request[] {
  const end = attempts.findIndex(({ status }) => !ENDED_BADLY.includes(status));
  return end === -1 ? attempts : attempts.slice(0, end);
}

function findingOf(failures: readonly Request[]): Finding {
  const [{ userId = '', stepId = '', actionType = '', errorCode = null } = {}] = failures;
  const tasks = new Set(failures.map(({ taskId }) => taskId)).size;
  const why = errorCode === null ? '' : ` Latest reason: ${errorCode.replaceAll('_', ' ')}.`;
  return {
    subject: `same_step_failing ${userId} ${stepId} ${actionType}`,
    category: 'reliability',
    severity: 'warning',
    title: `Step "${STEP}" of ${REQUESTER} failed ${failures.length} times in a row`,
    detail: `It should ${doing(actionType)}, and failed in ${counted(tasks, 'task')}.${why}`,
    metricTypes: ['task_success_rate'],
    evidence: evidenceOf(failures),
    ...inspect(failures),
    userId,
    ...(stepId !== null && { stepId }),
  };
}
