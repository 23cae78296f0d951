import { ACTION_EVENTS, PROMPT_EVENTS } from './action-events.ts';
import type { WrittenFacts } from './facts.ts';
import { MACHINE_EVENTS } from './machine-events.ts';
import { PERSON_EVENTS, REQUESTER_EVENTS } from './person-events.ts';
import { TASK_EVENTS } from './task-events.ts';

/** Every event that the journal knows, with its facts: kinds, levels, codes, counts, digests. Never contents. */
const EVENTS = {
  ...ACTION_EVENTS,
  ...PROMPT_EVENTS,
  ...TASK_EVENTS,
  ...MACHINE_EVENTS,
  ...PERSON_EVENTS,
  ...REQUESTER_EVENTS,
};

type Events = typeof EVENTS;

export type JournalKind = keyof Events;

/** The ids of what an event is about. */
export type EventIds = {
  userId?: string | undefined;
  deviceId?: string | undefined;
  actionId?: string | undefined;
  confirmationId?: string | undefined;
};

/** An event as the daemon writes it. `metadata` may be left out where a kind has no facts. */
export type JournalEvent<Kind extends JournalKind = JournalKind> = {
  [Each in Kind]: EventIds & { kind: Each } & Metadata<WrittenFacts<Events[Each]>>;
}[Kind];

type Metadata<Facts> = object extends Facts ? { metadata?: Facts } : { metadata: Facts };
