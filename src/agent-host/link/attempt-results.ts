import { type CancelReason, type PerformResult, requestIdOf } from '../../contract/link.ts';
import type { AttemptKey, AttemptOutcome } from '../../services/agent/port.ts';
import { type Announcing, createDeliveries } from './deliveries.ts';
import { failedOutcome, type RpcError, rejectedOutcome, successfulOutcome } from './outcome.ts';

/** Attempts that were sent and have not been answered, by request id. They outlive the session that sent them. */
export type OpenAttempts = Map<string, OpenAttempt>;

/** `cancelled` is why it is to be stopped, once that is wanted. */
export type OpenAttempt = { key: AttemptKey; accepted: boolean; cancelled: CancelReason | null };

/** Compares the agent's messages about attempts with the attempts that were sent to it. */
export type AttemptResults = {
  accepted(key: AttemptKey): void;
  result(requestId: string, result: PerformResult): void;
  failure(requestId: string | null, error: RpcError): void;
  attachment(attachmentId: string, bytes: Uint8Array): void;
  rejectOverdue(): void;
};

type Options = {
  open: OpenAttempts;
  attachmentMs: number;
  now: () => number;
  accepted(key: AttemptKey): void;
  finished(key: AttemptKey, outcome: AttemptOutcome): void;
  /** Said without being asked, and without effect. */
  ignored(kind: string, detail: string): void;
};

export function createAttemptResults({
  open,
  attachmentMs,
  now,
  accepted,
  finished,
  ignored,
}: Options): AttemptResults {
  const deliveries = createDeliveries({ limitMs: attachmentMs, now, complete: settle });

  function settle(requestId: string, outcome: AttemptOutcome): void {
    const sent = open.get(requestId);
    if (sent === undefined) return;
    open.delete(requestId);
    finished(sent.key, outcome);
  }

  function answered(requestId: string, answer: Announcing): void {
    if (!isAwaited(requestId)) return;
    if (answer.attachments.length === 0) settle(requestId, answer.whole(NO_BYTES));
    else deliveries.expect(requestId, answer);
  }

  function isAwaited(requestId: string): boolean {
    if (open.has(requestId) && !deliveries.isWaiting(requestId)) return true;
    ignored('unexpected_result', `expected no answer to ${requestId}: it is unknown, finished or foreign`);
    return false;
  }

  return {
    accepted(key) {
      const sent = open.get(requestIdOf(key));
      if (sent === undefined || sent.accepted) {
        ignored('unexpected_accepted', `expected no action.accepted for ${requestIdOf(key)}`);
        return;
      }
      sent.accepted = true;
      accepted(sent.key);
    },
    result(requestId, result) {
      answered(requestId, {
        attachments: result.attachments,
        whole: (received) => successfulOutcome(result, received),
        rejected: (reason) => rejectedOutcome(result, reason),
      });
    },
    failure(requestId, error) {
      if (requestId === null) ignored('agent_error', `the agent could not read a message (${error.code})`);
      else answered(requestId, failureOf(error));
    },
    attachment(attachmentId, bytes) {
      if (!deliveries.take(attachmentId, bytes)) {
        ignored('unexpected_attachment', `expected no attachment ${attachmentId}: no result announced it`);
      }
    },
    rejectOverdue: deliveries.rejectOverdue,
  };
}

const NO_BYTES: ReadonlyMap<string, Uint8Array> = new Map();

/** A failure stays what it is when its pictures are rejected. */
function failureOf(error: RpcError): Announcing {
  return {
    attachments: error.data?.attachments ?? [],
    whole: (received) => failedOutcome(error, received),
    rejected: () => failedOutcome(error, NO_BYTES),
  };
}
