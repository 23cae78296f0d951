import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lookOver } from '../../agent/scripts/look-over.ts';

test('a folder with 100,000 entries is looked over whole, and none with more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-look-over-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const names = Array.from({ length: 1_000 }, (_, index) => String(index));
  for (const name of names) writeFileSync(join(folder, name), '');
  const request = {
    home: { path: folder },
    signal: new AbortController().signal,
    // Places that are hidden already count, but are not looked at.
    skip: new Set(names.map((name) => join(folder, name))),
  };
  const looked = (times: number) =>
    lookOver(
      Array.from({ length: times }, () => folder),
      request,
    );
  expect(await looked(100)).toMatchObject({ end: 'whole', hidden: [], readOnly: [] });
  expect(await looked(101)).toMatchObject({ end: 'too many' });
});
