import type { MetricType } from '../../../src/contract/guardian.ts';
import type { Mood, Session } from './session.ts';

const HOUR_MS = 3_600_000;

/** Something that Guardian should notice. Times in milliseconds from the start of its day. */
export type Incident = {
  name: string;
  day: number;
  fromMs: number;
  toMs: number;
  mood?: Mood;
  extra?: readonly Session[];
  losesPermission?: boolean;
  /** The kind of the event that is its first. */
  beginsWith: string;
  /** The metrics in which it shows. */
  shows: readonly MetricType[];
};

/** As fast as a usual session, which has some 25 actions, and without an end; ten of them at once. */
const LOOP: Session = {
  userId: 'assistant',
  startMs: 14 * HOUR_MS,
  actions: 150,
  pauseMs: 7_000,
  isTask: false,
  mood: {},
};

const WAVED_THROUGH: Mood = { waveThroughMs: 300 };
/** So that there is something to wave through on a day on which the person would have asked for little. */
const WORK: Session = { ...LOOP, actions: 50, mood: WAVED_THROUGH };

/** The four, on workdays some days apart, in the two weeks from a Monday on. */
export function incidentsFrom(monday: number): Incident[] {
  return [
    {
      name: 'tenfold burst',
      beginsWith: 'action.requested',
      day: monday + 3,
      fromMs: 14 * HOUR_MS,
      toMs: 14.5 * HOUR_MS,
      extra: Array.from({ length: 10 }, () => LOOP),
      shows: ['action_burst_peak', 'confirmation_prompt_rate', 'screen_capture_rate', 'high_risk_executions'],
    },
    {
      name: 'permission loss',
      beginsWith: 'agent.readiness',
      day: monday + 10,
      fromMs: 10.25 * HOUR_MS,
      toMs: 16 * HOUR_MS,
      losesPermission: true,
      mood: { failedShare: 0.5 },
      shows: ['device_readiness', 'action_success_rate', 'task_success_rate', 'action_retry_rate'],
    },
    {
      name: 'rubber-stamping day',
      beginsWith: 'action.allowed',
      day: monday + 8,
      fromMs: 0,
      toMs: 24 * HOUR_MS,
      mood: WAVED_THROUGH,
      extra: [9.5, 11, 14, 16].map((hour) => ({ ...WORK, startMs: hour * HOUR_MS })),
      shows: ['hasty_approval_share', 'confirmation_response_p50', 'confirmation_approval_rate'],
    },
    {
      name: 'collapse of success',
      beginsWith: 'action.failed',
      day: monday + 1,
      fromMs: 10 * HOUR_MS,
      toMs: 24 * HOUR_MS,
      mood: { failedShare: 0.6 },
      shows: ['action_success_rate', 'task_success_rate', 'action_retry_rate'],
    },
  ];
}
