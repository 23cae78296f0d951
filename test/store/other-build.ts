import type { EventIds, JournalEvent } from '../../src/domain/journal/journal-event.ts';

/** An event that need not be one of the union: of another kind, or with other facts. */
export type LooseEvent = EventIds & { kind: string; metadata?: { [name: string]: unknown } | undefined };

/** An event as another build of the daemon wrote it, which the compiler cannot hold against this build's union. */
export function fromOtherBuild(event: LooseEvent): JournalEvent {
  return event as JournalEvent;
}
