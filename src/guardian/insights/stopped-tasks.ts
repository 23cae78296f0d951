import { evidenceOf } from './evidence.ts';
import type { Facts } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

const LIMITS = { stopped: 4, share: 0.5 };

/** The person cancels or stops half of the tasks of a requester. */
export function stoppedTasks({ tasks, requests }: Facts): Finding[] {
  return tasks
    .filter(({ stopped, started }) => stopped >= LIMITS.stopped && stopped >= LIMITS.share * started)
    .map(({ userId, stopped, started }) => ({
      subject: `stopped_tasks ${userId}`,
      category: 'oversight',
      severity: 'warning',
      title: `You cancelled or stopped ${stopped} of ${Math.max(started, stopped)} tasks of ${REQUESTER} in 7 days`,
      detail: 'It keeps doing what you do not want. Pause it until it is set right.',
      metricTypes: ['human_intervention_rate'],
      evidence: evidenceOf(requests.filter((request) => request.userId === userId && request.taskId !== null)),
      action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
      userId,
    }));
}
