import { describe, expect, test } from 'vitest';
import { type ActionEvent, type ActionState, initialState, nextState } from '../../src/domain/action-state.ts';

const STATES: ActionState[] = [
  { status: 'awaiting_confirmation' },
  { status: 'queued' },
  { status: 'running', attempt: 1 },
  { status: 'success' },
  { status: 'failed' },
  { status: 'denied' },
  { status: 'expired' },
  { status: 'cancelled' },
  { status: 'blocked' },
  { status: 'unknown' },
];

const EVENTS: ActionEvent[] = [
  { kind: 'allowed' },
  { kind: 'denied' },
  { kind: 'expired' },
  { kind: 'withdrawn' },
  { kind: 'undeliverable' },
  { kind: 'dispatched', attempt: 1 },
  { kind: 'succeeded', attempt: 1 },
  { kind: 'failed', attempt: 1, sideEffect: 'none', effectClass: 'once' },
  { kind: 'stopped', attempt: 1, sideEffect: 'none', effectClass: 'once', isPart: false },
  { kind: 'lost', attempt: 1, effectClass: 'once' },
];

/** The table of states in RULES.md, written a second time and not taken from the code. */
const ALLOWED: Record<string, string> = {
  'awaiting_confirmation allowed': 'queued',
  'awaiting_confirmation denied': 'denied',
  'awaiting_confirmation expired': 'expired',
  'awaiting_confirmation withdrawn': 'cancelled',
  'queued dispatched': 'running',
  'queued expired': 'expired',
  'queued undeliverable': 'failed',
  'queued withdrawn': 'cancelled',
  'running succeeded': 'success',
  'running failed': 'failed',
  'running stopped': 'cancelled',
  'running lost': 'unknown',
};

test.each([
  ['allow', 'queued'],
  ['ask', 'awaiting_confirmation'],
  ['block', 'blocked'],
] as const)('a submission judged %s begins as %s', (verdict, status) => {
  expect(initialState(verdict)).toEqual({ status });
});

describe('every event in every state', () => {
  const pairs = STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const));
  test.each(pairs)('%j + %j', (state, event) => {
    expect(nextState(state, event)?.status).toBe(ALLOWED[`${state.status} ${event.kind}`]);
  });
});

test('a report of another attempt fits no state', () => {
  expect(nextState({ status: 'running', attempt: 2 }, { kind: 'succeeded', attempt: 1 })).toBeUndefined();
});

test.each([
  ['pure', 'failed'],
  ['idempotent', 'failed'],
  ['once', 'unknown'],
] as const)('lost %s work is %s', (effectClass, status) => {
  expect(nextState({ status: 'running', attempt: 1 }, { kind: 'lost', attempt: 1, effectClass })).toEqual({ status });
});

test.each([
  ['none', 'once', 'cancelled'],
  ['done', 'once', 'success'],
  ['unknown', 'once', 'unknown'],
  ['unknown', 'pure', 'cancelled'],
  ['unknown', 'idempotent', 'cancelled'],
] as const)('stopped work whose side effect is %s and whose class is %s is %s', (sideEffect, effectClass, status) => {
  expect(
    nextState(
      { status: 'running', attempt: 1 },
      { kind: 'stopped', attempt: 1, sideEffect, effectClass, isPart: false },
    ),
  ).toEqual({ status });
});

test('a stop in the middle of input that was done in part is no success', () => {
  const stop = { kind: 'stopped', attempt: 1, sideEffect: 'done', effectClass: 'once', isPart: true } as const;
  expect(nextState({ status: 'running', attempt: 1 }, stop)).toMatchObject({ status: 'cancelled' });
});
