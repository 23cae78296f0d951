import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { liveAll, liveInChild, type Outcome } from '../bench/simulation/lives.ts';
import { summaryOf } from '../bench/simulation/report.ts';

const folder = mkdtempSync(join(tmpdir(), 'handrail-lives-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LIFE = { life: '', months: 3, bySubject: 0, trueSightings: 0, dayOfUseMs: 0, episodes: [], incidents: [] };

/** A life that a few lines stand in for. */
function live(seed: number, code: string, { limitMs = 20_000, signal = new AbortController().signal } = {}) {
  const script = join(folder, `${seed}.mjs`);
  writeFileSync(script, code);
  return liveInChild(seed, { script, args: [], limitMs, signal });
}

test('a life that ends by itself has its report', async () => {
  const outcome = await live(
    1,
    `process.send({ seed: Number(process.argv[3]), ...${JSON.stringify(LIFE)} }); process.disconnect();`,
  );
  expect(outcome).toEqual({ seed: 1, ...LIFE });
});

test('a life that takes too long is ended, and says so', async () => {
  const outcome = await live(2, 'setInterval(() => {}, 1_000);', { limitMs: 600 });
  expect(outcome).toEqual({ seed: 2, problem: 'it took longer than 0.01 minutes' });
});

test('a life that breaks off says how', async () => {
  expect(await live(3, 'process.exit(7);')).toEqual({
    seed: 3,
    problem: 'its process ended with code 7 before it was done',
  });
});

test('a life ends when the run is interrupted', async () => {
  const interrupted = new AbortController();
  const outcome = live(4, 'setInterval(() => {}, 1_000);', { signal: interrupted.signal });
  interrupted.abort();
  expect(await outcome).toEqual({ seed: 4, problem: 'the run was interrupted' });
});

test('lives without a result hold up no other, are listed, and miss the goals', async () => {
  const seen: string[] = [];
  const outcomes = await liveAll([6, 5], {
    atOnce: 1,
    live: async (seed): Promise<Outcome> => (seed === 6 ? { seed, problem: 'it broke' } : { seed, ...LIFE }),
    begun: (seed) => seen.push(`begun ${seed}`),
    done: ({ seed }) => seen.push(`done ${seed}`),
  });
  expect(seen).toEqual(['begun 6', 'done 6', 'begun 5', 'done 5']);
  const lines = summaryOf(outcomes).split('\n');
  expect(lines.slice(1, 3)).toEqual([
    '   5                  0.00 (0.00)                    0 of 0',
    '   6  no result: it broke',
  ]);
  expect(lines.at(-1)).toBe(
    'Missed. At most 1 a month: 1 of 2 lives; incidents told in time: 0 of 0; lives without a result: 1.',
  );
  expect(summaryOf(outcomes.slice(0, 1)).split('\n').at(-1)).toBe('Every goal was met.');
});
