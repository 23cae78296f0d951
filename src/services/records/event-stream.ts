import type { StreamEvent } from '../../contract/event.ts';
import type { JournalSubject } from '../../domain/journal/journal-event.ts';
import type { JournalRow } from '../../store/journal/journal.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';

/** How far back a stream can be taken up again. */
export const REPLAYABLE = 10_000;

/**
 * The journal as a stream that readers pull: a reader keeps its own position and requests the events after it. So nothing is
 * buffered for a reader, and each event arrives exactly once.
 */
export function createEventStream({ store }: Context) {
  let waiting: (() => void)[] = [];
  store.journal.onCommitted(() => {
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    /** The place of the latest event. */
    latestId: (): number => store.journal.head().seq,
    /** Whether everything after this place can still be read. */
    isReplayable: (id: number): boolean =>
      id <= store.journal.head().seq && store.journal.head().seq - id <= REPLAYABLE,
    /** Events after a place, oldest first; of one user only, when one is named. `reachedId` is the place to go on from. */
    read(afterId: number, options: { userId?: string; limit: number }): { events: StreamEvent[]; reachedId: number } {
      const latest = store.journal.head().seq;
      const rows =
        options.userId === undefined
          ? store.journal.readAfter(afterId, options.limit)
          : store.journal.readAfterOfUser(options.userId, afterId, options.limit);
      const reachedId = rows.length < options.limit ? Math.max(latest, afterId) : (rows.at(-1)?.seq ?? afterId);
      const wanted = options.userId === undefined ? rows : rows.filter(isOfUsers);
      return { events: wanted.map(viewEvent), reachedId };
    },
    /** Resolves when there is something after this place, or the signal aborts. */
    more(afterId: number, signal: AbortSignal): Promise<void> {
      if (store.journal.head().seq > afterId || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = () => {
          waiting = waiting.filter((other) => other !== wake);
          resolve();
        };
        waiting.push(wake);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

/** Whether a requester sees the events about a subject. The person at the dashboard sees all. */
const FOR_REQUESTERS: Record<JournalSubject, boolean> = {
  action: true,
  task: true,
  device: true,
  file: true,
  agent: false,
  artifact: false,
  confirmation: false,
  daemon: false,
  folder: false,
  grant: false,
  insight: false,
  journal: false,
  machine: false,
  procedure: false,
  profile: false,
  request: false,
  requester: false,
  risk: false,
  screen: false,
  session: false,
  settings: false,
};

const PREFIXES = Object.entries(FOR_REQUESTERS).flatMap(([subject, isShown]) => (isShown ? [`${subject}.`] : []));

/** By the subject, so that a requester also sees what a newer build wrote about its actions. */
function isOfUsers({ kind }: JournalRow): boolean {
  return PREFIXES.some((prefix) => kind.startsWith(prefix));
}

/** A row of the journal as the stream and the activity tell it. */
export function viewEvent(row: JournalRow): StreamEvent {
  const { userId, deviceId, actionId, confirmationId } = row;
  return {
    id: String(row.seq),
    at: timestamp(row.atMs),
    kind: row.kind,
    userId,
    deviceId,
    actionId,
    confirmationId,
    metadata: row.metadata,
  };
}
