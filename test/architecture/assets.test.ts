import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSETS, assetPath, assetPathForOtherPrograms, outsideArchive } from '../../src/launch/assets.ts';

const root = join(import.meta.dirname, '../..');

/** Built by `npm start` or by packaging, so absent in a fresh clone. */
const BUILT = ['page', 'preload', 'tray'];

const OWN_PLACE = /import\.meta\.(url|dirname|filename)/;

test('from the sources every asset that nothing builds is in its place', () => {
  const names = Object.keys(ASSETS).filter((name): name is keyof typeof ASSETS => !BUILT.includes(name));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect([name, existsSync(assetPath(name))]).toEqual([name, true]);
  expect(assetPathForOtherPrograms('macos-scripts')).toBe(join(root, 'agent/drivers/macos/scripts'));
});

test('no two assets have the same place in the bundle, and none leaves its folder', () => {
  const places = Object.values(ASSETS).map(({ bundled }) => bundled);
  expect(new Set(places).size).toBe(places.length);
  expect(places.filter((place) => place.startsWith('/') || place.includes('..'))).toEqual([]);
});

test('other programs are given the copy beside the archive of a packed app', () => {
  const resources = '/Applications/Handrail.app/Contents/Resources';
  expect(outsideArchive(`${resources}/app.asar/macos-scripts`)).toBe(`${resources}/app.asar.unpacked/macos-scripts`);
  expect(outsideArchive('/home/me/handrail/agent')).toBe('/home/me/handrail/agent');
});

/** Packaging is never bundled: it makes the bundle. */
test('only the list of assets says where a file lies beside the code, so that the bundle has all of them', () => {
  const files = ['src', 'agent'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .filter((file) => !file.startsWith('src/packaging/')),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => OWN_PLACE.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'src/launch/assets.ts',
  ]);
});
