import { expect, test } from 'vitest';
import { createProgress } from '../bench/progress.ts';
import { createReport } from '../bench/report.ts';

function watched() {
  const clock = { ms: 0 };
  const lines: string[] = [];
  const progress = createProgress(
    (line) => void lines.push(line),
    () => clock.ms,
  );
  return { clock, lines, progress };
}

test('a work of the bench that prints nothing is told before half a minute is over, again and again', () => {
  const { clock, lines, progress } = watched();
  progress.at('call 7 of 900');
  for (clock.ms = 0; clock.ms <= 60_000; clock.ms += 1_000) progress.look();
  expect(lines).toEqual(['  … call 7 of 900, 25 s after the start', '  … call 7 of 900, 50 s after the start']);
});

test('a work that lets no timer come is told by what it says itself', () => {
  const { clock, lines, progress } = watched();
  for (clock.ms = 0; clock.ms <= 30_000; clock.ms += 10_000) progress.at(`row ${clock.ms}`);
  expect(lines).toEqual(['  … row 30000, 30 s after the start']);
});

test('nothing is told while the report prints, and before there is any work', () => {
  const { clock, lines, progress } = watched();
  const report = createReport(() => undefined, progress);
  clock.ms = 100_000;
  progress.look();
  report.heading('Start');
  for (let count = 0; count < 3; count += 1) {
    clock.ms += 20_000;
    progress.look();
    report.figure({ name: 'a figure', value: 1, unit: 'ms' });
  }
  expect(lines).toEqual([]);
  clock.ms += 25_000;
  progress.look();
  expect(lines).toEqual(['  … Start, 185 s after the start']);
});
