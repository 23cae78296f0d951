import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFakeDriver } from '../../../agent/drivers/fake/driver.ts';
import { createFrames } from '../../../agent/targets/frame-memory.ts';
import { resolveTargets } from '../../../agent/targets/resolve-targets.ts';
import { RESOLVE_TARGETS } from '../../../src/contract/link.ts';
import type { TargetReference } from '../../../src/contract/targets.ts';
import { performBy } from '../perform-by.ts';

const attempt = { signal: new AbortController().signal, deadlineMs: 5_000 };

async function resolved(references: TargetReference[], driver = async () => createFakeDriver()) {
  const outcome = await resolveTargets({ references }, { attempt, driver, frames: createFrames() });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data.targets;
}

test('one question finds an app, a window and a file, in the order of the references', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'targets-')));
  writeFileSync(join(folder, 'letter.txt'), 'Dear Ann');
  symlinkSync(join(folder, 'letter.txt'), join(folder, 'link'));
  const targets = await resolved([
    { kind: 'path', path: join(folder, 'link'), into: true },
    { kind: 'window', windowId: 'window-1' },
    { kind: 'app', name: 'Notes' },
  ]);
  expect(targets).toMatchObject([
    { kind: 'path', path: join(folder, 'link'), file: { realPath: join(folder, 'letter.txt'), kind: 'file' } },
    { kind: 'window', windowId: 'window-1', window: { id: 'window-1' } },
    { kind: 'app', name: 'Notes', app: { appName: 'Notes' } },
  ]);
  expect(targets[0]).toHaveProperty('file.inside');
});

test('a reference that leads nowhere is lost with its reason, and the others are found', async () => {
  const targets = await resolved([
    { kind: 'path', path: 'letter.txt' },
    { kind: 'window', windowId: 'none' },
    { kind: 'app', name: 'Notez' },
    { kind: 'app', name: 'Notes' },
  ]);
  expect(targets).toMatchObject([
    { kind: 'lost', reference: { kind: 'path', path: 'letter.txt' }, code: 'invalid_target' },
    { kind: 'lost', reference: { kind: 'window', windowId: 'none' }, code: 'target_gone' },
    { kind: 'lost', reference: { kind: 'app', name: 'Notez' }, code: 'app_not_found' },
    { kind: 'app', name: 'Notes' },
  ]);
});

test('paths alone need no desktop', async () => {
  const driver = () => Promise.reject(new Error('there is no desktop'));
  expect(await resolved([{ kind: 'path', path: '/' }], driver)).toMatchObject([
    { kind: 'path', file: { kind: 'folder' } },
  ]);
});

test('the question is answered by the agent, and its parameters are checked', async () => {
  const ask = (parameters: unknown) => performBy(createFakeDriver(), RESOLVE_TARGETS, parameters);
  expect(await ask({ references: [{ kind: 'app', name: 'Notes' }] })).toMatchObject({ ok: true, effect: 'none' });
  expect(await ask({ references: [{ kind: 'element', id: '1' }] })).toMatchObject({ ok: false });
});
