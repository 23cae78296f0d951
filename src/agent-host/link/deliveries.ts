import type { Attachment } from '../../contract/link.ts';
import type { AttemptOutcome } from '../../services/agent/port.ts';
import { announcementFault, contentFault } from './attachments.ts';

/** An answer that announced attachments, and its outcome with their bytes, by attachment id, or without. */
export type Announcing = {
  attachments: readonly Attachment[];
  whole(received: ReadonlyMap<string, Uint8Array>): AttemptOutcome;
  rejected(reason: string): AttemptOutcome;
};

/** Answers that wait for the binary frames they announced. */
export type Deliveries = {
  isWaiting(requestId: string): boolean;
  /** An answer with attachments has come. */
  expect(requestId: string, answer: Announcing): void;
  /** A binary frame has come; false when nothing announced it. */
  take(attachmentId: string, bytes: Uint8Array): boolean;
  /** Gives up on answers whose frames are later than the limit. */
  rejectOverdue(): void;
};

type Delivery = {
  requestId: string;
  answer: Announcing;
  sinceMs: number;
  received: Map<string, Uint8Array>;
};

type Options = {
  limitMs: number;
  now: () => number;
  /** Called once for each expected answer: whole and checked, or rejected with nothing kept. */
  complete(requestId: string, outcome: AttemptOutcome): void;
};

export function createDeliveries({ limitMs, now, complete }: Options): Deliveries {
  const waiting = new Map<string, Delivery>();
  /** By attachment id; `null` for frames of a rejected answer, which are still on their way. */
  const announced = new Map<string, { delivery: Delivery; attachment: Attachment } | null>();

  function reject(delivery: Delivery, reason: string): void {
    const { requestId, answer } = delivery;
    waiting.delete(requestId);
    for (const { id } of answer.attachments) if (announced.get(id)?.delivery === delivery) announced.set(id, null);
    complete(requestId, answer.rejected(reason));
  }

  function keep(delivery: Delivery, attachment: Attachment, bytes: Uint8Array): void {
    delivery.received.set(attachment.id, bytes);
    if (delivery.received.size < delivery.answer.attachments.length) return;
    waiting.delete(delivery.requestId);
    complete(delivery.requestId, delivery.answer.whole(delivery.received));
  }

  /** Claims every id that is free, so that the frames are known for this answer's even if it is rejected. */
  function announce(delivery: Delivery): string | null {
    let fault: string | null = null;
    for (const attachment of delivery.answer.attachments) {
      const isFree = !announced.has(attachment.id);
      if (isFree) announced.set(attachment.id, { delivery, attachment });
      fault ??= isFree ? announcementFault(attachment) : `expected new attachment ids, got ${attachment.id} twice`;
    }
    return fault;
  }

  return {
    isWaiting: (requestId) => waiting.has(requestId),
    expect(requestId, answer) {
      const delivery = { requestId, answer, sinceMs: now(), received: new Map<string, Uint8Array>() };
      waiting.set(requestId, delivery);
      const fault = announce(delivery);
      if (fault !== null) reject(delivery, fault);
    },
    take(attachmentId, bytes) {
      const expected = announced.get(attachmentId);
      if (expected === undefined) return false;
      announced.delete(attachmentId);
      if (expected === null) return true;
      const fault = contentFault(expected.attachment, bytes);
      if (fault === null) keep(expected.delivery, expected.attachment, bytes);
      else reject(expected.delivery, fault);
      return true;
    },
    rejectOverdue() {
      const oldest = now() - limitMs;
      for (const delivery of waiting.values()) {
        if (delivery.sinceMs <= oldest) reject(delivery, `expected the attachments within ${limitMs} ms of the result`);
      }
    },
  };
}
