import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDesktopEntries } from '../../../agent/drivers/linux/desktop-entries.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handrail-entries-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, lines: readonly string[]) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, ['[Desktop Entry]', 'Type=Application', ...lines].join('\n'));
}

function entries(more: NodeJS.ProcessEnv = {}) {
  return createDesktopEntries({
    XDG_DATA_HOME: join(folder, 'home'),
    XDG_DATA_DIRS: `${join(folder, 'local')}:${join(folder, 'system')}`,
    PATH: join(folder, 'bin'),
    ...more,
  });
}

test('reads every folder, with an id from the path below it', async () => {
  await write('system/applications/a.desktop', ['Name=A', 'Exec=a']);
  await write('local/applications/kde/b.desktop', ['Name=B', 'Exec=b']);
  const found = await entries().list();
  expect(found.map(({ id, name }) => ({ id, name }))).toEqual([
    { id: 'kde-b', name: 'B' },
    { id: 'a', name: 'A' },
  ]);
});

test('of two entries with one id the folder of higher rank counts, and may take the app away', async () => {
  await write('home/applications/a.desktop', ['Name=Mine', 'Exec=a']);
  await write('system/applications/a.desktop', ['Name=Theirs', 'Exec=a']);
  await write('home/applications/b.desktop', ['Name=Gone', 'Exec=b', 'Hidden=true']);
  await write('system/applications/b.desktop', ['Name=Gone', 'Exec=b']);
  expect((await entries().list()).map((entry) => entry.name)).toEqual(['Mine']);
});

test('leaves out an app whose TryExec cannot be run', async () => {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/there'), '');
  await chmod(join(folder, 'bin/there'), 0o755);
  await write('system/applications/a.desktop', ['Name=A', 'Exec=there', 'TryExec=there']);
  await write('system/applications/b.desktop', ['Name=B', 'Exec=gone', 'TryExec=gone']);
  await write('system/applications/c.desktop', ['Name=C', 'Exec=gone', `TryExec=${join(folder, 'bin/there')}`]);
  expect((await entries().list()).map((entry) => entry.name)).toEqual(['A', 'C']);
});

test('sees apps that come, change and go', async () => {
  const reader = entries();
  expect(await reader.list()).toEqual([]);
  await write('home/applications/a.desktop', ['Name=A', 'Exec=a']);
  expect((await reader.list()).map((entry) => entry.name)).toEqual(['A']);
  await write('home/applications/a.desktop', ['Name=Renamed', 'Exec=a']);
  expect((await reader.list()).map((entry) => entry.name)).toEqual(['Renamed']);
  await rm(join(folder, 'home/applications/a.desktop'));
  expect(await reader.list()).toEqual([]);
});

test('names apps in the language of the session', async () => {
  await write('home/applications/a.desktop', ['Name=Files', 'Name[de]=Dateien', 'Exec=a']);
  expect((await entries({ LC_ALL: 'de_DE.UTF-8' }).list()).map((entry) => entry.name)).toEqual(['Dateien']);
});
