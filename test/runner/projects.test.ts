import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../vitest.config.ts';

const root = join(import.meta.dirname, '../..');

function filesOf({ include = [], exclude = [] }: { include?: string[]; exclude?: string[] }): string[] {
  return globSync(include, { cwd: root, exclude });
}

test('each test file runs in one project, so that a new folder cannot be forgotten', () => {
  const projects = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test !== undefined ? [project.test] : [],
  );
  expect(projects.length).toBeGreaterThan(8);
  const running = projects.flatMap(filesOf);
  const all = globSync('test/**/*.test.ts', { cwd: root });
  expect(all.length).toBeGreaterThan(300);
  expect(running.toSorted()).toEqual(all.toSorted());
});
