import { expect, test } from 'vitest';
import { LINK_LIMITS } from '../../../src/agent-host/link/limits.ts';
import { MAX_ATTACHMENT_BYTES, MAX_TEXT_FRAME_BYTES } from '../../../src/contract/link.ts';

/** The other tests of the link shorten these. */
test('the daemon is as patient with its agent as the protocol says, and takes frames as large', () => {
  expect(LINK_LIMITS).toEqual({
    helloMs: 5_000,
    heartbeatMs: 10_000,
    silenceMs: 25_000,
    attachmentMs: 10_000,
    graceMs: 5_000,
    startMs: 15_000,
    unaskedPerSecond: 1_000,
  });
  expect([MAX_TEXT_FRAME_BYTES, MAX_ATTACHMENT_BYTES]).toEqual([2_097_152, 20_971_520]);
});
