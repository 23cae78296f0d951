import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseDesktopEntry } from '../../../agent/drivers/linux/desktop-entries.ts';
import { programsOf } from '../../../agent/drivers/linux/entry-risks.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handrail-programs-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function programs(exec: string) {
  const text = `[Desktop Entry]\nType=Application\nName=A\nExec=${exec}`;
  const parsed = parseDesktopEntry({ id: 'a', path: '/a.desktop', text }, 'en');
  if (parsed.kind !== 'application') throw new Error(`expected an application, got ${parsed.kind}`);
  return programsOf(parsed.entry, { PATH: folder });
}

test('of a command line the first 100 different words are looked at', async () => {
  const found = await programs(Array.from({ length: 101 }, (_, index) => `w${index}`).join(' '));
  expect([found.length, found.at(-1)?.names]).toEqual([100, ['w99']]);
});

test('of a chain of links 20 files are looked at, and the file at its end', async () => {
  await writeFile(join(folder, 'p30'), '', { mode: 0o755 });
  for (let index = 29; index >= 0; index -= 1) await symlink(`p${index + 1}`, join(folder, `p${index}`));
  const [found] = await programs('p0');
  expect(found?.names).toEqual([...Array.from({ length: 20 }, (_, index) => `p${index}`), 'p30']);
});
