import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildDaemonIfNeeded } from '../../src/packaging/build-if-needed.ts';
import { ROOT } from './packing.ts';

test('a bundle is built when it is absent or older than its sources, and only then', { timeout: 120_000 }, async () => {
  const into = join(ROOT, `dist/tried-${process.pid}`);
  onTestFinished(() => rmSync(into, { recursive: true, force: true }));
  const build = () => buildDaemonIfNeeded({ into, programs: { audit: 'src/own-daemon/audit.ts' } });
  expect(await build()).toBe('built');
  expect(existsSync(join(into, 'audit.js'))).toBe(true);
  expect(await build()).toBe('fresh');
  utimesSync(join(into, 'package.json'), 0, 0);
  expect(await build()).toBe('built');
  expect(await build()).toBe('fresh');
});
