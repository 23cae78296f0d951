import { hash } from 'node:crypto';
import { lazyCheck } from '../../contract/lazy-check.ts';
import {
  type Attachment,
  AttachmentHeader,
  type CancelReason,
  MAX_ATTACHMENT_BYTES,
  type PerformResult,
  requestIdOf,
} from '../../contract/link.ts';
import type { AttemptKey, AttemptOutcome } from '../../services/agent/port.ts';
import { failedOutcome, type RpcError, rejectedOutcome, successfulOutcome } from './attempt-outcome.ts';

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

/** An answer that announced attachments, and its outcome with their bytes, by attachment id, or without. */
type Announcing = {
  attachments: readonly Attachment[];
  whole(received: ReadonlyMap<string, Uint8Array>): AttemptOutcome;
  rejected(reason: string): AttemptOutcome;
};

/** Answers that wait for the binary frames they announced. */
type Deliveries = {
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

type DeliveriesOptions = {
  limitMs: number;
  now: () => number;
  /** Called once for each expected answer: whole and checked, or rejected with nothing kept. */
  complete(requestId: string, outcome: AttemptOutcome): void;
};

const LENGTH_BYTES = 4;
const LONGEST_HEADER_BYTES = 256;

const MAGIC: Record<Attachment['mediaType'], (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  // Files and output of programs may hold any bytes.
  'application/octet-stream': () => true,
  'text/plain': () => true,
};

const isAttachmentHeader = lazyCheck(AttachmentHeader);

/** Reads a binary frame; `null` where it has not the form of rule 4 in LINK.md. */
export function readAttachmentFrame(frame: Uint8Array): { id: string; bytes: Uint8Array } | null {
  const buffer = bufferOver(frame);
  if (buffer.byteLength < LENGTH_BYTES) return null;
  const headerBytes = buffer.readUInt32BE(0);
  const end = LENGTH_BYTES + headerBytes;
  if (headerBytes > LONGEST_HEADER_BYTES || end > buffer.byteLength) return null;
  const header = parsed(buffer.toString('utf8', LENGTH_BYTES, end));
  return isAttachmentHeader(header) ? { id: header.id, bytes: buffer.subarray(end) } : null;
}

/** Why an announcement cannot be accepted whatever its bytes are, or `null`. */
function announcementFault({ id, sizeBytes }: Attachment): string | null {
  return sizeBytes > MAX_ATTACHMENT_BYTES
    ? `expected at most ${MAX_ATTACHMENT_BYTES} bytes, the agent announced ${sizeBytes} for ${id}`
    : null;
}

/** Why the bytes are not what was announced, or `null`. */
function contentFault({ id, sizeBytes, sha256, mediaType }: Attachment, bytes: Uint8Array): string | null {
  if (bytes.byteLength !== sizeBytes) return `expected ${sizeBytes} bytes of ${id}, got ${bytes.byteLength}`;
  if (!MAGIC[mediaType](bufferOver(bytes))) return `expected ${id} to be ${mediaType}, its first bytes are not`;
  if (hash('sha256', bytes, 'hex') !== sha256) return `expected ${id} to have the announced SHA-256, it has another`;
  return null;
}

function bufferOver({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createDeliveries({ limitMs, now, complete }: DeliveriesOptions): Deliveries {
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
