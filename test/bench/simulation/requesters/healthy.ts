import type { Healthy } from './life.ts';

const isOn = (from: number, days: number) => (day: number) => (day >= from && day < from + days ? 0 : 1);

/** Thirteen lives in which nothing is wrong. */
export const HEALTHY: readonly Healthy[] = [
  { name: 'plain' },
  { name: 'messy', habits: { daySpread: 0.7, failed: 0.08, denied: 0.2, away: 0.1 } },
  { name: 'a project every three weeks', projectDays: 21 },
  { name: 'a weekly batch', times: (day) => (day % 7 === 0 ? 4 : 1) },
  { name: 'light hands', clicks: () => 8 },
  { name: 'heavy hands', clicks: () => 120 },
  { name: 'hands from day 45 on', clicks: (day) => (day < 45 ? 0 : 30) },
  { name: 'a fast reader', habits: { answerMs: 5_000 } },
  { name: 'programs are replaced every two weeks', programDays: 14 },
  { name: 'holidays', times: isOn(40, 14) },
  { name: 'use that grows threefold', times: (day) => 1 + day / 45 },
  { name: 'weekends like workdays', habits: { weekend: 1 } },
  { name: 'two programs for each requester', habits: { hasTwoPrograms: true } },
];
