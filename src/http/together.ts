import type { FastifyRequest } from 'fastify';
import type { ActionService, Submission } from '../services/requester-services.ts';
import { endTurn } from './charged-work.ts';
import { workClockMs } from './work-clock.ts';

type Answer = ReturnType<ActionService['submit']>;
type Waiting = { submission: Submission; request: FastifyRequest; answer: (answer: Answer) => void };

/**
 * Submits actions. The first one is submitted at once. While it is under way, all submissions of one turn of the event loop share a
 * transaction, which takes half the processor time.
 */
export function createTogether(actions: Pick<ActionService, 'submit' | 'submitTogether'>) {
  let waiting: Waiting[] = [];
  let underWay = 0;

  function submitWaiting(): void {
    const came = waiting;
    waiting = [];
    const sinceMs = workClockMs();
    const answers = answersTo(came.map(({ submission }) => submission));
    const shareMs = (workClockMs() - sinceMs) / came.length;
    for (const [index, { request, answer }] of came.entries()) {
      request.workedSinceMs = workClockMs() - shareMs;
      endTurn(request);
      const own = answers[index];
      if (own !== undefined) answer(own);
    }
  }

  /** Nobody waits for this work but the callers, so each of them gets its error. */
  function answersTo(submissions: readonly Submission[]): readonly Answer[] {
    try {
      return actions.submitTogether(submissions);
    } catch (error) {
      return submissions.map(() => Promise.reject(error));
    }
  }

  return async (submission: Submission, request: FastifyRequest): Answer => {
    underWay += 1;
    try {
      if (underWay === 1) return await actions.submit(submission);
      return await new Promise((answer) => {
        if (waiting.push({ submission, request, answer }) === 1) setImmediate(submitWaiting);
      });
    } finally {
      underWay -= 1;
    }
  };
}
