import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterPaint } from '../../renderer/src/after-paint.ts';

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => frames.push(work));
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.splice(frame - 1, 1, () => undefined));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function begun() {
  const seen: string[] = [];
  const stop = afterPaint(() => {
    seen.push('begun');
    return () => seen.push('ended');
  });
  return { seen, stop };
}

test('it begins once after the next frame, and ends with it', async () => {
  const { seen, stop } = begun();
  expect(seen).toEqual([]);
  for (const frame of frames) frame();
  expect(seen).toEqual([]);
  await expect.poll(() => seen).toEqual(['begun']);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(seen).toEqual(['begun']);
  stop();
  expect(seen).toEqual(['begun', 'ended']);
});

test('it begins also where the browser draws no frame', async () => {
  const { seen, stop } = begun();
  await expect.poll(() => seen).toEqual(['begun']);
  stop();
  expect(seen).toEqual(['begun', 'ended']);
});

test('what was stopped before its frame never begins', async () => {
  const { seen, stop } = begun();
  for (const frame of frames) frame();
  stop();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(seen).toEqual([]);
});
