import { nextWorkday } from './habits.ts';
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
import { DELETE_FILE, RUN_SCRIPT } from './kinds.ts';

/** For five workdays, from a Monday or a Tuesday on. */
export function rubberStamping(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const monday = 7 * Math.floor(someWorkday(drawing) / 7);
  const firstDay = nextWorkday(habits, monday + chance.whole(0, 1));
  const waveThroughMs = chance.between(300, 3_500);
  const days = Array.from({ length: 5 }, () => {
    const extra = [habits.workFromHour + 1, habits.workToHour - 2].map((hour) =>
      session({ startMs: Math.floor(hour * HOUR_MS), mood: { waveThroughMs } }),
    );
    return { fromMs: 0, toMs: 24 * HOUR_MS, mood: { waveThroughMs }, extra };
  });
  return {
    name: 'rubber-stamping',
    firstDay,
    days: workdays(habits, firstDay, days),
    beginsWith: 'action.allowed',
    withinDays: 3,
    shows: ['hasty_approval_share', 'confirmation_response_p50', 'confirmation_approval_rate'],
    details: `median ${(waveThroughMs / 1000).toFixed(1)} s`,
  };
}

/** Over two weeks or three grants take the place of the person, from the usual share of medium-risk requests to nearly all. */
export function grantCreep(drawing: Drawing): Incident {
  const { chance, habits, weeks } = drawing;
  const length = chance.whole(8, 15);
  const firstDay = nextWorkday(habits, chance.whole(Math.floor((weeks * 7) / 2), Math.max(1, weeks * 7 - 25)));
  const newADay = chance.whole(1, 3);
  const plans = Array.from({ length: length + 1 }, (_, index) => {
    const grantedShare = Math.min(0.97, 0.5 + (0.47 * (index + 1)) / length);
    return { fromMs: 0, toMs: 24 * HOUR_MS, mood: { grantedShare } };
  });
  const days = workdays(habits, firstDay, plans);
  const numbers = [...days.keys()];
  const grants = numbers.flatMap((fromDay, index) =>
    Array.from({ length: newADay }, (_, each) => ({
      id: `grt_creep_${index}_${each}`,
      userId: habits.requesters[(index + each) % habits.requesters.length]?.userId ?? 'assistant',
      actionType: ['TakeScreenshot', 'QuitApp', 'WriteFile'][(index + each) % 3] ?? 'QuitApp',
      fromDay,
      toDay: fromDay + 90,
    })),
  );
  return {
    name: 'slow grant creep',
    firstDay,
    days,
    beginsWith: 'grant.created',
    fullFromDay: numbers[length - 1] ?? firstDay,
    withinDays: 1,
    shows: ['standing_grant_share', 'confirmation_prompt_rate'],
    grants,
    details: `${newADay} new a day for ${length} workdays`,
  };
}

/** High-risk and irreversible actions, of which the person allows nearly all, on one of the first days. */
export function firstWeek(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = chance.whole(1, 4);
  const fromMs = workHourMs(drawing);
  const actions = chance.whole(25, 60);
  const pauseMs = chance.between(20_000, 90_000);
  const surge = session({
    startMs: fromMs,
    actions,
    pauseMs,
    mood: { deniedShare: 0.02 },
    kinds: [DELETE_FILE, RUN_SCRIPT],
  });
  return {
    name: 'surge in week one',
    firstDay,
    days: workdays(habits, firstDay, [{ fromMs, toMs: fromMs, extra: [surge] }]),
    beginsWith: 'action.requested',
    withinDays: 1,
    shows: ['high_risk_executions', 'irreversible_executions', 'elevated_action_share', 'confirmation_prompt_rate'],
    details: `day ${firstDay + 1}, ${actions} high-risk requests`,
  };
}

export function denials(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const mood = { deniedShare: chance.between(0.8, 1), awayShare: 0 };
  const extra = [0, 40, 90].map((minutes) => session({ startMs: fromMs + minutes * MINUTE_MS, mood }));
  return {
    name: 'denying person',
    firstDay,
    days: workdays(habits, firstDay, [{ fromMs, toMs: 24 * HOUR_MS, mood, extra }]),
    beginsWith: 'action.denied',
    withinDays: 1,
    shows: ['denied_action_share', 'confirmation_approval_rate'],
    details: `${Math.round(100 * mood.deniedShare)} % denied`,
  };
}

/** Another program uses the id of the assistant. Where the id has a key, it is refused; otherwise the person denies most of it. */
export function stolenId(drawing: Drawing): Incident {
  const { chance, habits } = drawing;
  const firstDay = someWorkday(drawing);
  const fromMs = workHourMs(drawing);
  const hasKey = chance.is(0.5);
  const tries = hasKey ? chance.whole(5, 60) : chance.whole(15, 40);
  const minutes = chance.between(5, 120);
  const refusals = Array.from({ length: tries }, () => ({
    atMs: Math.floor(fromMs + chance.share() * minutes * MINUTE_MS),
    kind: 'request.refused',
    metadata: { code: 'user_key_invalid', count: 1 },
  })).toSorted((one, other) => one.atMs - other.atMs);
  const mood = { deniedShare: 0.9, awayShare: 0 };
  const pauseMs = (minutes / tries) * MINUTE_MS;
  const program = '/tmp/other/bin';
  const foreign = session({
    startMs: fromMs,
    actions: tries,
    pauseMs,
    mood,
    program,
    kinds: [DELETE_FILE, RUN_SCRIPT],
  });
  const what = hasKey ? { happenings: refusals } : { extra: [foreign] };
  return {
    name: 'stolen id',
    firstDay,
    days: workdays(habits, firstDay, [{ fromMs, toMs: fromMs, ...what }]),
    beginsWith: hasKey ? 'request.refused' : 'action.requested',
    withinDays: 1,
    shows: [
      'control_violations',
      'denied_action_share',
      'elevated_action_share',
      'novel_action_share',
      'high_risk_executions',
      'irreversible_executions',
      'confirmation_approval_rate',
    ],
    details: `${tries} ${hasKey ? 'wrong keys' : 'foreign requests'} in ${Math.round(minutes)} min`,
  };
}
