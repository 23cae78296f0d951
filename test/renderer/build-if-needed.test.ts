import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';

function makeSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./src/main.ts"></script>');
  writeFileSync(join(folder, 'src/main.ts'), 'document.title = "first";');
  return folder;
}

function builtScript(folder: string): string {
  const assets = join(folder, 'dist/assets');
  return readdirSync(assets)
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('');
}

test('the page is built when it is absent and when its sources are newer, and only then', { timeout: 60_000 }, () => {
  const folder = makeSources();
  expect(buildPageIfNeeded(folder)).toBe('built');
  expect(builtScript(folder)).toContain('first');
  expect(buildPageIfNeeded(folder)).toBe('fresh');
  writeFileSync(join(folder, 'src/main.ts'), 'document.title = "second";');
  const soonMs = Date.now() / 1_000 + 5;
  utimesSync(join(folder, 'src/main.ts'), soonMs, soonMs);
  expect(buildPageIfNeeded(folder)).toBe('built');
  expect(builtScript(folder)).toContain('second');
});

test('sources that do not build are an error, and the page that was there stays', { timeout: 60_000 }, () => {
  const folder = makeSources();
  buildPageIfNeeded(folder);
  writeFileSync(join(folder, 'src/main.ts'), 'this is not a program');
  const soonMs = Date.now() / 1_000 + 5;
  utimesSync(join(folder, 'src/main.ts'), soonMs, soonMs);
  expect(() => buildPageIfNeeded(folder)).toThrow('does not build');
  expect(builtScript(folder)).toContain('first');
});
