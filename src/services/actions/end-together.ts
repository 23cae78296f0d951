import type { ActionRow } from '../../store/records/actions.ts';
import type { AttemptKey, AttemptOutcome } from '../agent/port.ts';
import type { Context } from '../context.ts';
import type { LiveActions } from './live-actions.ts';
import type { OutcomeRecorder } from './outcomes.ts';

/** An outcome that the agent reported. */
export type Reported = { key: AttemptKey; row: ActionRow; outcome: AttemptOutcome };

type Parts = {
  live: Pick<LiveActions, 'get'>;
  recorder: Pick<OutcomeRecorder, 'recordShort'>;
  ageMs(id: string): number | undefined;
  /** Called for each outcome once all of them are stored. */
  stored(key: AttemptKey): void;
  /** Stores one outcome by itself. */
  alone(ended: Reported): void;
};

/**
 * Stores the outcomes that are read in one turn of the event loop in one transaction. The agent sends the answers of one turn
 * together. Where the transaction fails, none of them is stored, and each is stored by itself.
 */
export function createEndTogether({ log }: Context, { live, recorder, ageMs, stored, alone }: Parts) {
  let waiting: Reported[] = [];

  function isStored(ended: readonly Reported[]): boolean {
    try {
      recorder.recordShort(
        ended.map(({ row, outcome }) => ({ row: live.get(row.id) ?? row, outcome, durationMs: ageMs(row.id) })),
      );
      return true;
    } catch (error) {
      log.error({ err: error }, 'outcomes could not be recorded in one transaction; each is recorded by itself');
      return false;
    }
  }

  function store(): void {
    const ended = waiting;
    waiting = [];
    const follow = isStored(ended) ? ({ key }: Reported) => stored(key) : alone;
    for (const each of ended) follow(each);
  }

  return (reported: Reported): void => {
    if (waiting.push(reported) === 1) queueMicrotask(store);
  };
}
