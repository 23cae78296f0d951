import { type EventAbout, isAbout, type KnownEvent, type RecordedEvent } from '../../domain/journal/journal-event.ts';
import { createActionRecorder } from './actions.ts';
import { createDemand, type SeenBefore } from './demand.ts';
import { countOther, refusedRequests } from './other-events.ts';
import { NO_PART, type Part } from './parts.ts';
import { createPlanRecorder } from './prompts.ts';
import type { Rollup } from './rollup.ts';

export type Recorder = {
  /** Counts one event into the rollup of its minute. Events come in the order of the journal. */
  note(event: RecordedEvent, rollup: Rollup): void;
  /** The requester, type and device of an event. Ask before it is counted: an action that has ended is forgotten. */
  partOf(event: RecordedEvent): Part;
  /** Remembers a request whose action has ended, as one that later requests are compared with. */
  noteRequest(event: KnownEvent<'action.requested'>): void;
};

type Parts = { actions: ReturnType<typeof createActionRecorder>; plans: ReturnType<typeof createPlanRecorder> };

export function createRecorder(seen: SeenBefore): Recorder {
  const plans = createPlanRecorder();
  const demand = createDemand(seen);
  const actions = createActionRecorder({ demand, isPlanDecided: plans.isDecided });
  const parts = { actions, plans };

  function refused(event: KnownEvent<'request.refused'>, rollup: Rollup): void {
    const count = refusedRequests(event);
    if (count === 0) return;
    rollup.counters.requestRefused += count;
    rollup.burstPeak = Math.max(rollup.burstPeak, demand.refused(event.atMs, count));
  }

  return {
    note(event, rollup) {
      if (isAbout(event, 'action')) actions.note(event, rollup);
      if (isAbout(event, 'confirmation')) notePrompt(parts, event, rollup);
      if (isAbout(event, 'task')) noteTask(parts, event, rollup);
      if (isAbout(event, 'request')) refused(event, rollup);
      countOther(event, rollup);
    },
    // Anybody can claim an id in a request that is refused.
    partOf: (event) =>
      event.kind === 'request.refused' && refusedRequests(event) === 0 ? NO_PART : actions.partOf(event),
    noteRequest: (event) => void demand.requested(event),
  };
}

function notePrompt({ actions, plans }: Parts, event: EventAbout<'confirmation'>, rollup: Rollup): void {
  switch (event.kind) {
    case 'confirmation.shown':
      actions.shown(event, rollup);
      plans.shown(event, rollup);
      return;
    case 'confirmation.renewed':
      actions.renewed(event);
      return;
    case 'confirmation.called':
    case 'confirmation.extended':
    case 'confirmation.denial_held':
    case 'confirmation.denial_undone':
      return;
  }
  event satisfies never;
}

function noteTask({ plans }: Parts, event: EventAbout<'task'>, rollup: Rollup): void {
  switch (event.kind) {
    case 'task.plan_asked':
      plans.asked(event, rollup);
      return;
    case 'task.plan_allowed':
    case 'task.plan_denied':
    case 'task.plan_expired':
    case 'task.plan_withdrawn':
    case 'task.plan_voided':
      plans.ended(event, rollup);
      return;
    case 'task.ended':
      plans.taskEnded(event);
      return;
    case 'task.submitted':
    case 'task.started':
    case 'task.needs_attention':
    case 'task.cancel_requested':
    case 'task.step_changed':
    case 'task.step_resolved':
      return;
  }
  event satisfies never;
}
