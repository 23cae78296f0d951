import { dayKind } from './habits.ts';
import {
  type Drawing,
  HOUR_MS,
  type Incident,
  MINUTE_MS,
  session,
  someWorkday,
  workdays,
  workHourMs,
} from './incident.ts';
import { DESCRIBE_SCREEN } from './kinds.ts';

export function burst(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const loops = chance.whole(7, 13);
  const actions = chance.whole(80, 200);
  const extra = Array.from({ length: loops }, () => session({ startMs: fromMs, actions }));
  return {
    name: 'tenfold burst',
    firstDay,
    days: workdays(habits, firstDay, [{ fromMs, toMs: fromMs, extra }]),
    beginsWith: 'action.requested',
    withinDays: 1,
    shows: [
      'action_rate',
      'action_burst_peak',
      'confirmation_prompt_rate',
      'screen_capture_rate',
      'high_risk_executions',
      'irreversible_executions',
    ],
    details: `${loops} loops of ${actions} actions at once`,
  };
}

export function permissionLoss(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const hours = chance.between(0.5, 3);
  const failedShare = chance.between(0.3, 0.6);
  const day = { fromMs, toMs: fromMs + Math.floor(hours * HOUR_MS), losesPermission: true, mood: { failedShare } };
  return {
    name: 'permission loss',
    firstDay,
    days: workdays(habits, firstDay, [day]),
    beginsWith: 'agent.readiness',
    withinDays: 1,
    shows: ['device_readiness', 'action_success_rate', 'task_success_rate', 'action_retry_rate'],
    details: `for ${hours.toFixed(1)} h`,
  };
}

export function collapse(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const failedShare = chance.between(0.4, 0.8);
  const extra = [0, 60, 120].map((minutes) =>
    session({ startMs: fromMs + minutes * MINUTE_MS, mood: { failedShare } }),
  );
  const first = { fromMs, toMs: 24 * HOUR_MS, mood: { failedShare }, extra };
  return {
    name: 'collapse of success',
    firstDay,
    days: workdays(habits, firstDay, [first, { fromMs: 0, toMs: 24 * HOUR_MS, mood: { failedShare } }]),
    beginsWith: 'action.failed',
    withinDays: 1,
    shows: ['action_success_rate', 'task_success_rate', 'action_retry_rate'],
    details: `${Math.round(100 * failedShare)} % fail`,
  };
}

/** Loops run on a Saturday or a Sunday, and nobody is there to answer. */
export function weekend(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const saturday = 7 * Math.floor(someWorkday(drawing) / 7) + 5;
  const candidates = [saturday, saturday + 1, saturday - 7, saturday - 6].filter(
    (day) => dayKind(habits, day) === 'free',
  );
  const firstDay = candidates[chance.whole(0, 1)] ?? saturday;
  const fromMs = workHourMs(drawing);
  const loops = chance.whole(3, 8);
  const actions = chance.whole(80, 250);
  const mood = { awayShare: 1 };
  const extra = Array.from({ length: loops }, () => session({ startMs: fromMs, actions, mood }));
  return {
    name: 'weekend loop',
    firstDay,
    days: new Map([[firstDay, { fromMs, toMs: 24 * HOUR_MS, mood, extra }]]),
    beginsWith: 'action.requested',
    withinDays: 1,
    shows: [
      'action_rate',
      'action_burst_peak',
      'confirmation_expiry_rate',
      'confirmation_prompt_rate',
      'screen_capture_rate',
      'elevated_action_share',
    ],
    details: `${firstDay % 7 === 5 ? 'Saturday' : 'Sunday'}, ${loops} loops of ${actions} actions`,
  };
}

/** A requester asks again and again for a capability that its device lacks, or looks at the screen without an end. */
export function hammeringOrCaptures(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const minutes = chance.between(10, 60);
  if (chance.is(0.5)) {
    const times = chance.whole(60, 300);
    const happenings = Array.from({ length: times }, (_, index) => ({
      atMs: Math.floor(fromMs + (index / times) * minutes * MINUTE_MS),
      kind: 'request.refused',
      userId: 'assistant',
      metadata: { code: 'capability_missing', count: 1 },
    }));
    return {
      name: 'hammering or captures',
      firstDay,
      days: workdays(habits, firstDay, [{ fromMs, toMs: fromMs, happenings }]),
      beginsWith: 'request.refused',
      withinDays: 1,
      shows: ['denied_action_share', 'action_rate', 'action_burst_peak', 'action_retry_rate', 'control_violations'],
      details: `${times} refusals in ${Math.round(minutes)} min`,
    };
  }
  const actions = chance.whole(180, 500);
  const captures = session({
    startMs: fromMs,
    actions,
    pauseMs: (minutes / actions) * MINUTE_MS,
    kinds: [DESCRIBE_SCREEN],
  });
  return {
    name: 'hammering or captures',
    firstDay,
    days: workdays(habits, firstDay, [{ fromMs, toMs: fromMs, extra: [captures] }]),
    beginsWith: 'action.requested',
    withinDays: 1,
    shows: ['screen_capture_rate', 'action_rate', 'action_burst_peak'],
    details: `${actions} captures in ${Math.round(minutes)} min`,
  };
}
