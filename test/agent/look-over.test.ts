import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lookOver } from '../../agent/scripts/look-over.ts';
import { clearNewPlaces } from '../../agent/scripts/repositories.ts';
import { createStartPlaces } from '../../agent/scripts/start-places.ts';

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

test('X11: a new repository is found past more entries than a look compares', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-look-over-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [work, many] = [join(folder, 'work'), join(folder, 'many')];
  mkdirSync(join(work, '.git'), { recursive: true });
  mkdirSync(many);
  for (let index = 0; index < 1_000; index += 1) writeFileSync(join(many, String(index)), '');
  // The last root is looked at first.
  const roots = [work, ...Array.from({ length: 101 }, () => many)];
  const sweep = await clearNewPlaces({
    roots,
    files: [],
    before: new Map(),
    hidden: new Set(),
    named: new Set(),
    links: new Map(),
    starts: createStartPlaces(roots),
    isWayOut: async () => false,
  });
  expect(sweep).toMatchObject({ isWhole: true, renamed: [{ from: join(work, '.git') }] });
});

test('F14: nothing is looked over behind a link that has taken the place of a folder', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-look-over-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'private/inner/.git'), { recursive: true });
  writeFileSync(join(folder, 'private/inner/diary.txt'), '');
  symlinkSync(join(folder, 'private'), join(folder, 'work'));
  const roots = [join(folder, 'work'), join(folder, 'work/inner')];
  const seen = await lookOver(roots, { home: { path: folder }, signal: new AbortController().signal });
  expect(seen).toMatchObject({ end: 'whole', files: new Map(), readOnly: [] });
  const starts = createStartPlaces(roots);
  const places = {
    roots,
    files: [],
    before: new Map(),
    hidden: new Set<string>(),
    named: new Set<string>(),
    links: new Map(),
    starts,
    isWayOut: async () => true,
  };
  expect(await clearNewPlaces(places)).toMatchObject({ renamed: [], removed: [], isWhole: true });
});
