import { hash } from 'node:crypto';
import { ulid } from 'ulid';
import type { FailureCode } from '../src/contract/action.ts';
import {
  type Attachment,
  MAX_ATTACHMENT_BYTES,
  MAX_TEXT_FRAME_BYTES,
  type PerformFailure,
  RPC,
  requestIdOf,
} from '../src/contract/link.ts';
import type { Done, Failed, FileBytes, Outcome, Image as Picture } from './drivers/outcome.ts';

export type AttemptKey = { actionId: string; attempt: number };

/** The result of one `action.perform` as frames. The agent sends it again until the daemon has acknowledged it. */
export type ResultMessage = { text: string; frames: readonly (readonly Uint8Array[])[] };

const RPC_CODE_OF: Record<FailureCode, number> = {
  app_not_found: RPC.appNotFound,
  permission_missing: RPC.permissionMissing,
  display_unavailable: RPC.internalError,
  timeout: RPC.timeout,
  target_gone: RPC.internalError,
  target_changed: RPC.internalError,
  coordinates_off_screen: RPC.invalidParams,
  not_supported: RPC.notSupported,
  busy: RPC.busy,
  invalid_target: RPC.invalidParams,
  artifact_rejected: RPC.artifactRejected,
  agent_unavailable: RPC.internalError,
  already_exists: RPC.internalError,
  too_large: RPC.invalidParams,
  sandbox_unavailable: RPC.notSupported,
  stale_frame: RPC.internalError,
  interrupted_by_person: RPC.internalError,
  not_typable: RPC.notSupported,
  nobody_reached: RPC.internalError,
  script_failed: RPC.internalError,
  internal_error: RPC.internalError,
};

const SIDE_EFFECT_OF = { none: 'none', confirmed: 'done', unverified: 'unknown' } as const;

type Attached = Pick<Picture, 'width' | 'height' | 'bytes' | 'role'> &
  Pick<FileBytes, 'sha256'> & { mediaType: Picture['mediaType'] | FileBytes['mediaType'] };

const LONGEST = { details: 20_000, message: 4_000, fix: 2_000 };
const MOST_ATTACHMENTS = 8;

/** Puts an outcome into the words of the link; one that cannot be put so becomes a failure which says why. */
export function resultMessageOf(key: AttemptKey, outcome: Outcome<unknown>): ResultMessage {
  if (!outcome.ok) return failureMessage(key, outcome, RPC_CODE_OF[outcome.code]);
  const objection = attachmentObjection(bytesOf(outcome));
  if (objection !== null) return spoiled(key, outcome, { code: 'artifact_rejected', message: objection });
  const answer = successMessage(key, outcome);
  const sizeBytes = Buffer.byteLength(answer.text);
  if (sizeBytes <= MAX_TEXT_FRAME_BYTES) return answer;
  return spoiled(key, outcome, {
    code: 'internal_error',
    message: `Expected a result of at most ${MAX_TEXT_FRAME_BYTES} bytes, got ${sizeBytes}.`,
    fix: 'Ask for less at once: fewer elements, or one display.',
  });
}

/** The result of an attempt that the daemon cancelled, with the side effect so far. */
export function cancelledMessage(key: AttemptKey, outcome: Failed): ResultMessage {
  return failureMessage(key, outcome, RPC.cancelled);
}

/** The result of an attempt that is over, or that a later attempt has replaced. Its former effect is unknown by now. */
export function staleMessage(key: AttemptKey): ResultMessage {
  return failureMessage(
    key,
    {
      ok: false,
      code: 'internal_error',
      message: `Expected a new attempt of ${key.actionId}, got ${key.attempt} again; it was not performed again.`,
      sideEffect: 'unknown',
    },
    RPC.staleAttempt,
  );
}

function successMessage(key: AttemptKey, outcome: Done<unknown>): ResultMessage {
  const { details, effect, data, undo } = outcome;
  const { attachments, frames } = announcedOf(bytesOf(outcome));
  const result = { details: details.slice(0, LONGEST.details), effect, data, attachments, undo };
  return { text: JSON.stringify({ jsonrpc: '2.0', id: requestIdOf(key), result }), frames };
}

function announcedOf(images: readonly Attached[]): { attachments: Attachment[]; frames: ResultMessage['frames'] } {
  const attachments = images.map(announced);
  return { attachments, frames: images.map(({ bytes }, index) => [frameHeader(attachments[index]?.id ?? ''), bytes]) };
}

/** Everything that is sent beside the result: pictures, and files, which have no width and height. */
function bytesOf({ images = [], attachments = [] }: Done<unknown>): Attached[] {
  return [...images, ...attachments.map((file) => ({ width: 0, height: 0, ...file }))];
}

function announced({
  mediaType,
  width,
  height,
  bytes,
  role,
  sha256 = hash('sha256', bytes, 'hex'),
}: Attached): Attachment {
  const id = `art_${ulid()}`;
  return { id, mediaType, width, height, sizeBytes: bytes.byteLength, sha256, role };
}

function frameHeader(id: string): Buffer {
  const header = Buffer.from(JSON.stringify({ id }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header]);
}

function attachmentObjection(images: readonly Attached[]): string | null {
  if (images.length > MOST_ATTACHMENTS)
    return `Expected at most ${MOST_ATTACHMENTS} attachments, got ${images.length}.`;
  const largest = Math.max(0, ...images.map(({ bytes }) => bytes.byteLength));
  if (largest <= MAX_ATTACHMENT_BYTES) return null;
  return `Expected attachments of at most ${MAX_ATTACHMENT_BYTES} bytes, got ${largest}; ask for jpeg or a smaller maxWidth.`;
}

/** The action succeeded, but its result cannot be sent. */
function spoiled(
  key: AttemptKey,
  { effect }: Done<unknown>,
  why: Pick<Failed, 'code' | 'message' | 'fix'>,
): ResultMessage {
  return failureMessage(key, { ok: false, sideEffect: SIDE_EFFECT_OF[effect], ...why }, RPC_CODE_OF[why.code]);
}

/** A failure is told in any case. Pictures that cannot be sent are left out. */
function failureMessage(key: AttemptKey, failed: Failed, rpcCode: number): ResultMessage {
  const { code, message, fix, sideEffect, images = [] } = failed;
  const { attachments, frames } = announcedOf(attachmentObjection(images) === null ? images : []);
  const failure: PerformFailure = {
    code,
    sideEffect,
    ...(fix && { fix: fix.slice(0, LONGEST.fix) }),
    ...(attachments.length > 0 && { attachments }),
  };
  const error = { code: rpcCode, message: message.slice(0, LONGEST.message), data: failure };
  return { text: JSON.stringify({ jsonrpc: '2.0', id: requestIdOf(key), error }), frames };
}
