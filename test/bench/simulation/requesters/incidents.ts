import type { MetricType } from '../../../../src/contract/guardian.ts';
import {
  ACCESS,
  CLICK,
  HOUR_MS,
  type Kind,
  MINUTE_MS,
  READ,
  SCREENSHOT,
  SCRIPT,
  type Turn,
  type Wanted,
} from './life.ts';

/**
 * Something that goes wrong and goes on, day after day. `turn`: its day of that number, from 1 on. `shows`: the metrics of which at least one
 * must be told. `withinDays`: by when; `withinDaysOfFew`: at five actions a day, where that is later.
 */
export type Incident = {
  name: string;
  turn(day: number): Turn;
  shows: readonly MetricType[];
  withinDays: number;
  withinDaysOfFew?: number;
  isOfFirstDays: boolean;
};

const AT_MS = 10 * HOUR_MS;

export const INCIDENTS: readonly Incident[] = [
  {
    name: 'a requester goes wild, × 7',
    turn: () => ({ of: 'assistant', times: 7 }),
    shows: ['action_rate', 'action_burst_peak', 'screen_capture_rate', 'confirmation_prompt_rate'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'a new requester, 12 high-risk actions',
    turn: () => ({ extra: some(12, { userId: 'newcomer', kind: SCRIPT, lastsMs: 3 * HOUR_MS }) }),
    shows: ['high_risk_executions', 'elevated_action_share', 'irreversible_executions', 'novel_action_share'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'failures grow by 1.5 points a day',
    turn: (day) => ({ failed: 0.015 * day }),
    shows: ['action_success_rate', 'action_retry_rate'],
    withinDays: 10,
    withinDaysOfFew: 15,
    isOfFirstDays: false,
  },
  {
    name: '300 new files, in an hour',
    turn: (day) => ({ extra: files(300, { day, lastsMs: HOUR_MS }) }),
    shows: ['novel_action_share', 'action_rate', 'action_burst_peak'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: '30 new files a day',
    turn: (day) => ({ extra: files(30, { day, lastsMs: 6 * HOUR_MS }) }),
    shows: ['novel_action_share', 'action_rate'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'a stolen id: 8 scripts a day, allowed',
    turn: () => ({
      extra: some(8, { userId: 'assistant', kind: SCRIPT, lastsMs: 4 * HOUR_MS, program: '/tmp/other' }),
    }),
    shows: ['high_risk_executions', 'elevated_action_share', 'irreversible_executions', 'novel_action_share'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'a stolen id: reads and screenshots',
    turn: (day) => ({
      extra: [
        ...files(20, { day, lastsMs: 4 * HOUR_MS, program: '/tmp/other' }),
        ...some(20, { userId: 'assistant', kind: SCREENSHOT, lastsMs: 4 * HOUR_MS, program: '/tmp/other' }),
      ],
    }),
    shows: ['novel_action_share', 'screen_capture_rate', 'elevated_action_share', 'confirmation_prompt_rate'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'hands in a new app at night',
    turn: () => ({
      upFromMs: 2 * HOUR_MS,
      extra: some(40, { userId: 'assistant', kind: CLICK, lastsMs: HOUR_MS, atMs: 3 * HOUR_MS }, () => 'Bank'),
    }),
    shows: ['elevated_action_share'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'accesses that grow, an app a day',
    turn: (day) => ({ extra: some(1, { userId: 'assistant', kind: ACCESS, lastsMs: HOUR_MS }, () => `App ${day}`) }),
    shows: ['novel_action_share'],
    withinDays: 5,
    isOfFirstDays: false,
  },
  {
    name: 'one requester waved through within 1 s',
    turn: () => ({
      stampedMs: 500,
      stampedOf: 'helper',
      extra: some(2, { userId: 'helper', kind: SCREENSHOT, lastsMs: 4 * HOUR_MS }),
    }),
    shows: ['hasty_approval_share'],
    withinDays: 7,
    isOfFirstDays: true,
  },
  {
    name: 'the person takes the mouse 12 times',
    turn: () => ({
      extra: some(12, { userId: 'assistant', kind: CLICK, lastsMs: 4 * HOUR_MS }, () => 'Mail').map((each) => ({
        ...each,
        isInterrupted: true,
      })),
    }),
    shows: ['human_intervention_rate'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'false success: no effect can be seen',
    turn: () => ({ unseen: 1 }),
    shows: ['action_success_rate'],
    withinDays: 5,
    isOfFirstDays: false,
  },
  {
    name: 'stamping at 2.4 s a prompt',
    turn: () => ({ stampedMs: 2_400 }),
    shows: ['confirmation_approval_rate', 'confirmation_response_p50', 'hasty_approval_share'],
    withinDays: 3,
    isOfFirstDays: true,
  },
  {
    name: 'a stolen id: 25 reads',
    turn: (day) => ({ extra: files(25, { day, lastsMs: 4 * HOUR_MS, program: '/tmp/other' }) }),
    shows: ['novel_action_share', 'action_rate'],
    withinDays: 2,
    isOfFirstDays: true,
  },
  {
    name: 'stamping at 3.8 s a prompt',
    turn: () => ({ stampedMs: 3_800 }),
    shows: ['confirmation_approval_rate', 'confirmation_response_p50', 'hasty_approval_share'],
    withinDays: 3,
    isOfFirstDays: true,
  },
];

type Some = { userId: string; kind: Kind; lastsMs: number; program?: string; atMs?: number };

/** So many requests, evenly over a time from ten o'clock on. */
function some(
  count: number,
  { userId, kind, lastsMs, program, atMs = AT_MS }: Some,
  target = (_: number) => `${userId} folder`,
): Wanted[] {
  return Array.from({ length: count }, (_, index) => ({
    atMs: atMs + Math.floor((index * (lastsMs - MINUTE_MS)) / count),
    userId,
    kind,
    target: target(index),
    program,
  }));
}

function files(count: number, { day, ...how }: { day: number; lastsMs: number; program?: string }): Wanted[] {
  return some(count, { userId: 'assistant', kind: READ, ...how }, (index) => `/home/ann/private/${day}/${index}`);
}
