import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHeartbeat } from '../../src/contract/heartbeat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('it beats at its interval', () => {
  const { beats, heartbeat } = createRig();
  vi.advanceTimersByTime(35_000);
  heartbeat.stop();
  expect(beats()).toBe(2);
});

test('a peer is dead after the silence, and nothing follows', () => {
  const { deaths, beats } = createRig();
  vi.advanceTimersByTime(24_999);
  expect(deaths()).toBe(0);
  vi.advanceTimersByTime(2);
  expect([deaths(), beats()]).toEqual([1, 2]);
  vi.advanceTimersByTime(100_000);
  expect([deaths(), beats()]).toEqual([1, 2]);
});

test('each word of the peer starts the silence anew', () => {
  const { deaths, heartbeat } = createRig();
  for (let count = 0; count < 10; count += 1) {
    vi.advanceTimersByTime(20_000);
    heartbeat.heard();
  }
  vi.advanceTimersByTime(24_999);
  expect([deaths(), heartbeat.silentForMs()]).toEqual([0, 24_999]);
  vi.advanceTimersByTime(2);
  expect(deaths()).toBe(1);
});

test('who was asleep itself gives the peer another chance', () => {
  let nowMs = 0;
  let deaths = 0;
  createHeartbeat({
    heartbeatMs: 10_000,
    silenceMs: 25_000,
    now: () => nowMs,
    beat: () => undefined,
    dead() {
      deaths += 1;
    },
  });
  nowMs = 3_600_000;
  vi.advanceTimersByTime(25_001);
  expect(deaths).toBe(0);
  nowMs += 25_000;
  vi.advanceTimersByTime(25_001);
  expect(deaths).toBe(1);
});

test.each([
  [1_000, 1],
  [1_001, 0],
])('who wakes %d ms late finds %d dead peers', (lateMs, deaths) => {
  let dead = 0;
  let nowMs = 0;
  createHeartbeat({
    heartbeatMs: 10_000,
    silenceMs: 25_000,
    now: () => nowMs,
    beat: () => undefined,
    dead() {
      dead += 1;
    },
  });
  nowMs = 25_000 + lateMs;
  vi.advanceTimersByTime(25_001);
  expect(dead).toBe(deaths);
});

test('what has come but was not read when the silence was over still counts', () => {
  setTimeout(() => setImmediate(() => heartbeat.heard()), 25_000);
  const { deaths, heartbeat } = createRig();
  vi.advanceTimersByTime(25_001);
  expect(deaths()).toBe(0);
});

test('after the stop there is neither beat nor death', () => {
  const { deaths, beats, heartbeat } = createRig();
  heartbeat.stop();
  vi.advanceTimersByTime(100_000);
  expect([deaths(), beats()]).toEqual([0, 0]);
});

function createRig() {
  let beats = 0;
  let deaths = 0;
  const heartbeat = createHeartbeat({
    heartbeatMs: 10_000,
    silenceMs: 25_000,
    now: () => performance.now(),
    beat() {
      beats += 1;
    },
    dead() {
      deaths += 1;
    },
  });
  return { heartbeat, beats: () => beats, deaths: () => deaths };
}
