import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The files of some folders of the product that a text stands in. */
function filesWith(text: string | RegExp, ...folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts') && readFileSync(join(root, file), 'utf8').search(text) >= 0);
}

test('one room of the daemon asks the agent about targets', () => {
  expect(filesWith(/RESOLVE_TARGETS|'ResolveTargets'/u, 'src')).toEqual([
    'src/contract/link.ts',
    'src/services/targets/targets.ts',
  ]);
});

test('one function begins actions: those of requesters and those of steps', () => {
  expect(filesWith(/\bcreateAction\(/u, 'src')).toEqual([
    'src/services/actions/create.ts',
    'src/services/actions/submission.ts',
  ]);
  expect(filesWith(/\bcreateBegin\(/u, 'src')).toEqual([
    'src/services/actions/submission.ts',
    'src/services/tasks/step-start.ts',
  ]);
});

test('nothing on the way of a submission answers a value or a promise of it', () => {
  const rooms = ['actions', 'agent', 'targets', 'tasks'].map((room) => `src/services/${room}`);
  expect(filesWith(/\| Promise</u, ...rooms)).toEqual([]);
});
