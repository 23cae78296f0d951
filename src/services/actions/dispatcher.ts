import type { Capabilities } from '../../contract/device.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { AgentPort } from '../agent-port.ts';
import type { Context } from '../context.ts';
import { isStorageFailure, STORAGE_RETRY_MS, untilStored } from '../storage-failure.ts';
import {
  ALLOWED_LASTS_MS,
  NoLiveApproval,
  performParams,
  recordDispatch,
  recordUnapproved,
  recordUndeliverable,
} from './dispatch.ts';
import type { LiveActions } from './live-actions.ts';
import { createSlots } from './slots.ts';
import { createTurns } from './turns.ts';

/** Actions under way at once, in all. */
const MAX_RUNNING = 16;
/** How long actions that may run wait for an agent that is not there. */
const AGENT_PATIENCE_MS = 10_000;

export type DispatcherParts = {
  port: AgentPort;
  live: LiveActions;
  capabilitiesOf(row: ActionRow): Capabilities;
  /** The apps that a name in it may not lead to, where there are rules for apps. */
  unjudgedAppsOf?(row: ActionRow): string[];
  /** Whether the person has stopped everything. */
  isStopped(): boolean;
  /** An attempt was sent. */
  sent(row: ActionRow): void;
};

/**
 * Sends actions to the agent, users by turns and each one's in the order in which they came: the dispatch is recorded first, then
 * sent. At most 16 at once, and of those that may never be repeated one at a time, since every registered device is the same desktop.
 */
export function createDispatcher(context: Context, parts: DispatcherParts) {
  const { store, clock, log } = context;
  const { port, live } = parts;
  const slots = createSlots(clock);
  const turns = createTurns();
  let stopPatience: (() => void) | undefined;

  function isFree({ effectClass }: Pick<ActionRow, 'effectClass'>): boolean {
    if (parts.isStopped() || port.status() !== 'online' || slots.count() >= MAX_RUNNING) return false;
    return effectClass !== 'once' || slots.ids().every((id) => live.get(id)?.effectClass !== 'once');
  }

  function send(row: ActionRow): void {
    slots.take(row.id);
    parts.sent(row);
    port.perform(
      performParams(row, { capabilities: parts.capabilitiesOf(row), unjudgedApps: parts.unjudgedAppsOf?.(row) ?? [] }),
    );
  }

  function start(row: ActionRow): void {
    try {
      const dispatched = recordDispatch(context, live, row);
      if (dispatched !== undefined) send(dispatched);
    } catch (error) {
      log.error({ err: error, actionId: row.id }, 'a dispatch could not be recorded; it was not sent');
      if (error instanceof NoLiveApproval) endQueued(row.id, recordUnapproved);
      else if (isStorageFailure(error)) clock.after(STORAGE_RETRY_MS, () => enqueue(row));
      else throw error;
    }
  }

  function pump(): void {
    for (let row = nextToStart(); row !== undefined; row = nextToStart()) {
      turns.serve(row.id);
      start(row);
    }
    waitForAgent();
  }

  function nextToStart(): ActionRow | undefined {
    if (turns.isEmpty() || slots.count() >= MAX_RUNNING) return undefined;
    for (const id of turns.inOrder(countByUser(slots.ids().flatMap((id) => live.get(id) ?? [])))) {
      const row = live.get(id);
      if (row?.status !== 'queued') turns.remove(id);
      else if (isFree(row)) return row;
    }
    return undefined;
  }

  function waitForAgent(): void {
    if (port.status() === 'online' || turns.isEmpty()) {
      stopPatience?.();
      stopPatience = undefined;
    } else {
      stopPatience ??= clock.after(AGENT_PATIENCE_MS, giveUp);
    }
  }

  function giveUp(): void {
    stopPatience = undefined;
    for (const id of turns.ids()) {
      turns.remove(id);
      endQueued(id, recordUndeliverable);
    }
  }

  function endQueued(id: string, record: (live: LiveActions, row: ActionRow) => void): void {
    untilStored(context, () => {
      const row = live.get(id);
      if (row?.status === 'queued') record(live, row);
    });
  }

  function enqueue(row: ActionRow): void {
    turns.add(row);
    pump();
    if (turns.has(row.id) && store.confirmations.findByAction(row.id) !== undefined)
      clock.after(ALLOWED_LASTS_MS, () => outlive(row.id));
  }

  /** Ends what a person allowed and whose turn has not come in time. */
  function outlive(id: string): void {
    if (turns.remove(id)) endQueued(id, recordUnapproved);
  }

  return { slots, isFree, send, enqueue, pump };
}

function countByUser(rows: readonly ActionRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { userId } of rows) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}
