import { createChance } from './chance.ts';
import { type Habits, STREAMS } from './habits.ts';
import type { Drawing, Incident } from './incident.ts';
import { denials, firstWeek, grantCreep, rubberStamping, stolenId } from './incidents-of-trust.ts';
import { burst, collapse, hammeringOrCaptures, permissionLoss, weekend } from './incidents-of-work.ts';

/** The ten incidents of one life, in the order in which they are reported. */
export function drawIncidents(seed: number, { habits, weeks }: { habits: Habits; weeks: number }): Incident[] {
  return DRAWN.map((draw, index) => draw({ chance: createChance(seed, STREAMS.incidents, index), habits, weeks }));
}

const DRAWN: readonly ((drawing: Drawing) => Incident)[] = [
  burst,
  permissionLoss,
  rubberStamping,
  collapse,
  grantCreep,
  firstWeek,
  weekend,
  denials,
  stolenId,
  hammeringOrCaptures,
];
