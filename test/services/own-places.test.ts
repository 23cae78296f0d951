import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedPath } from '../../src/contract/files.ts';
import type { TargetReference } from '../../src/contract/targets.ts';
import { filesIn } from '../../src/domain/catalogue/file-target.ts';
import { programFolder, programFolderOf } from '../../src/launch/assets.ts';
import type { Question } from '../../src/services/agent/questions.ts';
import { createIds } from '../../src/services/context.ts';
import { createTargets, ownPlaces, seenIn } from '../../src/services/targets/targets.ts';
import { createStore } from '../../src/store/store.ts';
import { newDataFolder } from '../store/data-folder.ts';
import { createFakeClock } from './fake-clock.ts';
import { done } from './rig.ts';

const identity = { device: '1', inode: '2' };

/** Looks at paths with an agent that finds a folder at each, and has looked into it where it was asked to. */
function startLooks() {
  const clock = createFakeClock();
  const store = createStore({ path: newDataFolder('handrail-own-'), now: clock.nowMs });
  onTestFinished(() => store.close());
  const quiet = () => undefined;
  const context = { store, clock, newId: createIds(clock), log: { info: quiet, warn: quiet, error: quiet } };
  const targets = createTargets(context, {
    async ask({ parameters }: Question) {
      const references = parameters.references as Extract<TargetReference, { kind: 'path' }>[];
      const found = references.map((reference) => {
        const { path, into } = reference;
        const folder: ResolvedPath = { path, realPath: path, kind: 'folder', identity, folder: identity };
        const inside = { names: ['a'], isWhole: true };
        return { ...reference, file: into === true ? { ...folder, inside, digest: 'd'.repeat(64) } : folder };
      });
      return done({ data: { targets: found } });
    },
  });
  return {
    store,
    async look(path: string, into = false) {
      const reference: TargetReference = { kind: 'path', path, ...(into && { into }) };
      const seen = seenIn(await targets.sight([reference]), [reference]);
      return filesIn(seen.targets)[0];
    },
  };
}

const program = realpathSync(programFolder());

test('F8: the program with its packages and its bundle, Node, and the data are places of Handrail itself', () => {
  expect(program).toBe(realpathSync(join(import.meta.dirname, '../..')));
  const data = realpathSync(newDataFolder('handrail-own-'));
  const places = ownPlaces(data);
  expect(places).toContainEqual({ path: program, name: "Handrail's own program" });
  expect(places).toContainEqual({ path: data, name: "Handrail's own data" });
  const isCovered = (path: string) => places.some((place) => path === place.path || path.startsWith(`${place.path}/`));
  for (const path of [process.execPath, join(program, 'node_modules')])
    expect(isCovered(realpathSync(path)), path).toBe(true);
});

test.each([
  ['/home/ann/handrail/', '/home/ann/handrail'],
  ['/home/ann/handrail/dist/daemon/', '/home/ann/handrail'],
  ['/home/ann/handrail/dist/app/', '/home/ann/handrail'],
  ['/Applications/Handrail.app/Contents/Resources/app.asar/', '/Applications/Handrail.app'],
  ['/Users/ann/My.app/Handrail.app/Contents/Resources/app.asar/', '/Users/ann/My.app/Handrail.app'],
  ['/opt/handrail/resources/app.asar/', '/opt/handrail'],
])('F8: code in %s belongs to the program in %s', (folder, whole) => expect(programFolderOf(folder)).toBe(whole));

test('F8: the program is secret at each path in it, also in other spellings, and nothing of it is passed on', async () => {
  const { look, store } = startLooks();
  for (const path of [program, join(program, 'node_modules/new'), join(program, 'SRC').toUpperCase()]) {
    const found = await look(path, true);
    expect(found).toMatchObject({ secret: "Handrail's own program" });
    expect(found).not.toHaveProperty('inside');
  }
  expect(await look(join(store.path, 'handrail.db'))).toMatchObject({ secret: "Handrail's own data" });
  expect(await look(`${program}-other`)).not.toHaveProperty('secret');
});

test('F8: a folder above is told to hold it', async () => {
  const { look } = startLooks();
  for (const path of [dirname(program), '/'])
    expect(await look(path)).toMatchObject({ holds: "Handrail's own program" });
  expect(await look(join(dirname(program), 'beside'))).not.toHaveProperty('holds');
});
