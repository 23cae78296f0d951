import {
  ACTION_EVENTS,
  type FactTable,
  MACHINE_EVENTS,
  PERSON_EVENTS,
  PROMPT_EVENTS,
  REQUESTER_EVENTS,
  type RecordedFacts,
  TASK_EVENTS,
  type WrittenFacts,
} from './events.ts';

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

/** An event names the requester, device, action and prompt that it is about. */
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

/** The number of the journal's row, and when the event happened, in epoch ms. */
type Place = { seq: number; atMs: number };

/** An event of a known kind in the journal. Another build may have written fewer facts. */
export type KnownEvent<Kind extends JournalKind = JournalKind> = {
  [Each in Kind]: EventIds & Place & { kind: Each; metadata?: RecordedFacts<Events[Each]> };
}[Kind];

/** An event in the journal. `unknown`: of a kind that this build does not know, as a newer build writes it. */
export type RecordedEvent = KnownEvent | (EventIds & Place & { kind: 'unknown'; metadata?: undefined });

type SubjectOf<Kind> = Kind extends `${infer Subject}.${string}` ? Subject : never;

/** The word before the dot of a kind. */
export type JournalSubject = SubjectOf<JournalKind>;

export type EventAbout<Subject extends JournalSubject> = Extract<RecordedEvent, { kind: `${Subject}.${string}` }>;

export function isAbout<Subject extends JournalSubject>(
  event: RecordedEvent,
  subject: Subject,
): event is EventAbout<Subject> {
  return SUBJECTS.get(event.kind) === subject;
}

/** The word before the dot, by kind. */
const SUBJECTS: ReadonlyMap<string, string> = new Map(
  Object.keys(EVENTS).map((kind) => [kind, kind.slice(0, kind.indexOf('.'))]),
);

/** An event from a stored row, whose metadata is any JSON. Leaves out facts that are not of their type, and facts of a newer build. */
export function recordedEvent(row: EventIds & Place & { kind: string; metadata: unknown }): RecordedEvent {
  const { kind, metadata, ...at } = row;
  if (!isKnown(kind)) return { ...at, kind: 'unknown' };
  // The table that makes the type of each event also checks its facts, which the compiler cannot follow.
  return { ...at, kind, metadata: factsOf(EVENTS[kind], metadata) } as KnownEvent;
}

function isKnown(kind: string): kind is JournalKind {
  return Object.hasOwn(EVENTS, kind);
}

function factsOf(table: FactTable, metadata: unknown): { [name: string]: unknown } {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const isFact = ([name, value]: [string, unknown]) => Object.hasOwn(table, name) && table[name]?.(value) === true;
  return Object.fromEntries(Object.entries(metadata).filter(isFact));
}

type Metadata<Facts> = object extends Facts ? { metadata?: Facts } : { metadata: Facts };
