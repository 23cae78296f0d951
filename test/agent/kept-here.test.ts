import { existsSync, mkdtempSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeptHere } from '../../agent/stdio-channel.ts';
import { UNDO_FILE } from '../../src/contract/link.ts';
import { UNDO_KEPT_MS } from '../../src/contract/times.ts';
import { performOf } from '../agent-host/link/rig.ts';

test('the agent of another computer keeps a former version in a private folder of its own, and finds it there again', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'handrail-kept-')), 'kept');
  const here = createKeptHere(folder);
  const asked = { ...performOf('act_1'), keepAt: '/data/of/the/daemon/act_1' };
  expect(here(asked)).toMatchObject({ keepAt: join(folder, 'act_1') });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const undo = { ...performOf('act_1'), actionType: UNDO_FILE, parameters: { undo: {}, formerAt: '/data/../act_1' } };
  expect(here(undo).parameters).toEqual({ undo: {}, formerAt: join(folder, 'act_1') });
  const other = performOf('act_1');
  expect(here(other)).toEqual(other);
});

test('what can no longer be put back is removed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-kept-'));
  const here = createKeptHere(folder);
  const [old, young] = [join(folder, 'act_1'), join(folder, 'act_2')];
  for (const path of [old, young]) writeFileSync(path, 'former');
  const dayAgo = new Date(Date.now() - UNDO_KEPT_MS - 1_000);
  utimesSync(old, dayAgo, dayAgo);
  here({ ...performOf('act_1'), keepAt: '/x/act_3' });
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});
