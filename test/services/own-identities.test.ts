import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolvePath } from '../../agent/files/resolve-paths.ts';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { createMarkOwn } from '../../src/services/targets/targets.ts';

function newPlaces() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-own-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['data/media', 'work']) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['data/port', 'data/media/1', 'work/note']) writeFileSync(join(root, file), 'text');
  const mark = createMarkOwn({ path: join(root, 'data') });
  return {
    at: (path: string) => join(root, path),
    marked(file: ResolvedPath): ResolvedPath {
      const target = mark({ kind: 'path', path: file.path, file });
      if (target.kind !== 'path') throw new Error('lost');
      return target.file;
    },
  };
}

async function found(path: string): Promise<ResolvedPath> {
  const file = await resolvePath(path);
  if ('ok' in file) throw new Error(file.message);
  return file;
}

test('F12: a file of the data directory is secret under a second name outside of it', async () => {
  const { at, marked } = newPlaces();
  linkSync(at('data/port'), at('work/harmless'));
  expect(marked(await found(at('work/harmless'))).secret).toBe("Handrail's own data");
  expect(marked(await found(at('work/note'))).secret).toBeUndefined();
});

test.each(['data', 'data/media'])(
  'F12: what lies in %s is secret at each place where the folder is mounted',
  async (folder) => {
    const { at, marked } = newPlaces();
    const place = folder === 'data' ? 'data/port' : 'data/media/1';
    const { above = [], ...file } = await found(at(place));
    // The system tells the same device and inode at a second place of a mounted folder, and other folders above it.
    const own = above.slice(-1);
    expect(own).toEqual([identityOf(at(folder))]);
    for (const kind of ['file', 'missing'] as const)
      expect(marked({ ...file, kind, realPath: at('work/mounted/1'), above: own }).secret).toBe("Handrail's own data");
  },
);

test('F12: the folders above a path are passed on to nobody', async () => {
  const { at, marked } = newPlaces();
  const file = await found(at('work/note'));
  expect(file.above?.at(-1)).toEqual(identityOf(at('work')));
  expect(marked(file)).not.toHaveProperty('above');
});

function identityOf(path: string) {
  const { dev, ino } = statSync(path, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}
