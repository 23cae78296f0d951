import type { Chance } from './chance.ts';

/** One kind of action. `tookMs`: the median time it runs. */
export type Kind = { type: string; risk: 'low' | 'medium' | 'high'; irreversible: boolean; tookMs: number };

/** Work that lasts some weeks: the same kinds of actions on the same apps. */
export type Project = { kinds: [Kind, ...Kind[]]; targets: [string, ...string[]] };

const APPS: [string, ...string[]] = ['mail', 'calendar', 'notes', 'chat', 'sheets', 'files', 'terminal', 'music'];

export const DESCRIBE_SCREEN: Kind = { type: 'DescribeScreen', risk: 'low', irreversible: false, tookMs: 450 };
export const DELETE_FILE: Kind = { type: 'DeleteFile', risk: 'high', irreversible: true, tookMs: 80 };
export const RUN_SCRIPT: Kind = { type: 'RunScript', risk: 'high', irreversible: false, tookMs: 2_500 };

const LOW: [Kind, ...Kind[]] = [
  DESCRIBE_SCREEN,
  { type: 'OpenApp', risk: 'low', irreversible: false, tookMs: 1_600 },
  { type: 'Wait', risk: 'low', irreversible: false, tookMs: 900 },
  { type: 'Click', risk: 'low', irreversible: false, tookMs: 180 },
  { type: 'TypeText', risk: 'low', irreversible: false, tookMs: 700 },
];
const MEDIUM: [Kind, ...Kind[]] = [
  { type: 'TakeScreenshot', risk: 'medium', irreversible: false, tookMs: 130 },
  { type: 'QuitApp', risk: 'medium', irreversible: false, tookMs: 1_200 },
  { type: 'WriteFile', risk: 'medium', irreversible: false, tookMs: 90 },
];
const HIGH: [Kind, ...Kind[]] = [RUN_SCRIPT, DELETE_FILE];

/** Kinds of actions that go well together, on apps most of which the person has long used. */
export function drawProject(chance: Chance, number: number): Project {
  const kinds = Array.from({ length: 4 }, () => chance.pick(LOW));
  const known = Array.from({ length: chance.whole(1, 3) }, () => chance.pick(APPS));
  const unknown = Array.from({ length: chance.whole(0, 1) }, (_, index) => `app ${number}.${index}`);
  return { kinds: [chance.pick(LOW), ...kinds], targets: ['browser', 'editor', ...known, ...unknown] };
}

export function drawElevated(chance: Chance): Kind {
  return chance.is(0.15) ? chance.pick(HIGH) : chance.pick(MEDIUM);
}
