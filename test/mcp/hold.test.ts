import { expect, test } from 'vitest';
import { hold } from '../../src/mcp/action-calls.ts';

/** A record that ends at a moment of a clock which moves by the time that is waited for. */
function waitingUntil(endMs: number, gone = new AbortController().signal) {
  let atMs = 0;
  const waits: number[] = [];
  const told: number[] = [];
  const found = () => ({ isOver: atMs >= endMs });
  const holding = {
    gone,
    isOver: (record: { isOver: boolean }) => record.isOver,
    async next({ waitMs }: { waitMs: number }) {
      waits.push(waitMs);
      atMs = Math.min(atMs + waitMs, Math.max(endMs, atMs));
      if (atMs < endMs) return found();
      return { isOver: true };
    },
    async tell(_: unknown, { elapsedMs }: { elapsedMs: number }) {
      told.push(elapsedMs);
    },
    promptOf: () => undefined,
    whenDenialChanges: () => () => undefined,
    nowMs: () => atMs,
  };
  return { found, holding, waits, told };
}

test('a call is held for 25 s, and told every 5 s', async () => {
  const { found, holding, waits, told } = waitingUntil(40_000);
  expect(await hold(found(), { ...holding, holdMs: 25_000 })).toEqual({ isOver: false });
  expect(waits).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
  expect(told).toEqual([0, 5_000, 10_000, 15_000, 20_000, 25_000]);
});

test('it is answered at the end of what it waits for', async () => {
  const { found, holding, told } = waitingUntil(7_000);
  expect(await hold(found(), { ...holding, holdMs: 25_000 })).toEqual({ isOver: true });
  expect(told).toEqual([0, 5_000]);
});

test('a call that may not be held is answered at once, without a word before', async () => {
  const { found, holding, waits, told } = waitingUntil(7_000);
  expect(await hold(found(), { ...holding, holdMs: 0 })).toEqual({ isOver: false });
  expect([waits, told]).toEqual([[], []]);
});

test('a call whose client has gone is not held', async () => {
  const { found, holding, waits } = waitingUntil(7_000, AbortSignal.abort());
  await hold(found(), { ...holding, holdMs: 25_000 });
  expect(waits).toEqual([]);
});

test('a record that can no longer be read is refused', async () => {
  const { found, holding } = waitingUntil(7_000);
  const refusal = { refused: 'action_not_found', detail: 'gone' } as const;
  expect(await hold(found(), { ...holding, holdMs: 25_000, next: async () => refusal })).toBe(refusal);
});
