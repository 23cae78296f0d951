import { expect, onTestFinished, test } from 'vitest';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import { createPathResolution } from '../../../src/services/agent/path-resolution.ts';
import type { AttemptOutcome } from '../../../src/services/agent/port.ts';
import { createIds } from '../../../src/services/context.ts';
import { createAllowedFolders } from '../../../src/services/permissions/allowed-folders.ts';
import { createStore } from '../../../src/store/store.ts';
import { newDataFolder } from '../../store/data-folder.ts';
import { createFakeClock } from '../fake-clock.ts';
import { notDone } from '../rig.ts';

const IDENTITY = { device: '1', inode: '2' };

function folder(path: string, more: Partial<ResolvedPath> = {}): ResolvedPath {
  return { path, realPath: path, kind: 'folder', identity: IDENTITY, folder: IDENTITY, ...more };
}

function answer(...paths: ResolvedPath[]): AttemptOutcome {
  return { ok: true, details: 'Looked.', effect: 'none', data: { home: '/home/ann', paths }, attachments: [] };
}

/** Both services on a real store, with an agent whose answers the test chooses. */
function startPaths() {
  const clock = createFakeClock();
  const store = createStore({ path: newDataFolder('handrail-folders-'), now: clock.nowMs });
  onTestFinished(() => store.close());
  const quiet = () => undefined;
  const context = { store, clock, newId: createIds(clock), log: { info: quiet, warn: quiet, error: quiet } };
  const asked: unknown[] = [];
  const agent: { outcome: AttemptOutcome | undefined; before: () => void } = { outcome: undefined, before: quiet };
  const paths = createPathResolution(context, {
    async ask({ parameters }) {
      asked.push(parameters.paths);
      const { outcome } = agent;
      agent.before();
      return outcome;
    },
  });
  const events: unknown[] = [];
  const change = (event: unknown, work: () => void) => {
    store.write('durable', work);
    events.push(event);
  };
  return {
    agent,
    asked,
    clock,
    events,
    paths,
    store,
    folders: createAllowedFolders(context, {
      permissions: { change, policyVersion: () => String(events.length) },
      paths,
    }),
  };
}

test('an answer is fresh for two seconds, and older ones are asked for again', async () => {
  const { agent, asked, clock, paths } = startPaths();
  agent.outcome = answer(folder('/a'));
  await paths.learn([{ path: '/a' }, { path: '/a' }]);
  await paths.learn([{ path: '/a' }]);
  expect(asked).toEqual([['/a']]);
  clock.advance(1_999);
  expect(paths.isKnown([{ path: '/a' }])).toBe(true);
  clock.advance(1);
  expect(paths.isKnown([{ path: '/a' }])).toBe(false);
  await paths.learn([{ path: '/a' }]);
  expect(asked).toEqual([['/a'], ['/a']]);
});

test('one question to the agent is about 64 paths at most', async () => {
  const { asked, paths } = startPaths();
  await paths.learn(Array.from({ length: 65 }, (_each, index) => ({ path: `/${index}` })));
  expect(asked.map((each) => Array.isArray(each) && each.length)).toEqual([64, 1]);
});

test('the answers about 2,000 paths are remembered, and then the oldest is forgotten', async () => {
  const { paths } = startPaths();
  await paths.learn(Array.from({ length: 2_000 }, (_each, index) => ({ path: `/${index}` })));
  expect(paths.find({ path: '/0' })).toBeDefined();
  await paths.learn([{ path: '/2000' }]);
  expect([paths.find({ path: '/0' }), paths.find({ path: '/1' })]).toEqual([undefined, expect.anything()]);
});

test('at most 200 folders are allowed', async () => {
  const { agent, folders } = startPaths();
  for (let count = 0; count < 200; count += 1) {
    agent.outcome = answer(folder(`/folder${count}`));
    expect(await folders.allow({ userId: 'ann', path: `/folder${count}`, access: 'read' })).toHaveProperty('items');
  }
  agent.outcome = answer(folder('/more'));
  expect(await folders.allow({ userId: 'ann', path: '/more', access: 'read' })).toMatchObject({
    detail: 'At most 200 folders can be allowed; remove one.',
  });
  agent.outcome = answer(folder('/folder7'));
  expect(await folders.allow({ userId: 'ann', path: '/folder7', access: 'write' })).toHaveProperty('items');
});

test('after files have changed no earlier answer is fresh, not even one that is on its way', async () => {
  const { agent, paths } = startPaths();
  agent.outcome = answer(folder('/a', { kind: 'missing' }));
  agent.before = paths.forget;
  await paths.learn([{ path: '/a' }]);
  expect(paths.isKnown([{ path: '/a' }])).toBe(false);
  agent.before = () => undefined;
  agent.outcome = answer(folder('/a'));
  await paths.learn([{ path: '/a' }]);
  expect([paths.isKnown([{ path: '/a' }]), paths.find({ path: '/a' })]).toEqual([
    true,
    { ok: true, file: folder('/a') },
  ]);
});

test('an agent that is offline, fails or leaves a path out replaces an earlier answer by the reason', async () => {
  const { agent, paths } = startPaths();
  const codeAfter = async (outcome: AttemptOutcome | undefined) => {
    agent.outcome = answer(folder('/a'));
    paths.forget();
    await paths.learn([{ path: '/a' }]);
    agent.outcome = outcome;
    paths.forget();
    await paths.learn([{ path: '/a' }]);
    const found = paths.find({ path: '/a' });
    return found?.ok === false ? found.error.code : found;
  };
  expect(await codeAfter(undefined)).toBe('agent_unavailable');
  expect(await codeAfter(notDone({ code: 'busy' }))).toBe('busy');
  expect(await codeAfter(answer(folder('/b')))).toBe('internal_error');
});

test('a folder is looked up anew when it is allowed: a link may lead elsewhere since the answer before', async () => {
  const { agent, folders, paths } = startPaths();
  agent.outcome = answer(folder('/link', { realPath: '/home/ann/work' }));
  await paths.learn([{ path: '/link' }]);
  agent.outcome = answer(folder('/link', { realPath: '/home/ann/other' }));
  expect(await folders.allow({ userId: 'ann', path: '/link', access: 'read' })).toMatchObject({
    items: [{ path: '/home/ann/other' }],
  });
});

test('the folder of the daemon is secret, wherever it is', async () => {
  const { agent, paths, store } = startPaths();
  agent.outcome = answer(folder('/link', { realPath: `${store.path}/artifacts` }));
  await paths.learn([{ path: '/link' }]);
  expect(paths.find({ path: '/link' })).toMatchObject({ file: { secret: "Handrail's own data" } });
});

test('a folder is allowed by its real path, and the journal names only a digest of it', async () => {
  const { agent, events, folders } = startPaths();
  agent.outcome = answer(folder('~/link', { realPath: '/home/ann/work' }));
  const items = [{ userId: 'ann', path: '/home/ann/work', access: 'read' }];
  expect(await folders.allow({ userId: 'ann', path: '~/link', access: 'read' })).toMatchObject({ items });
  expect(folders.of('ann')).toMatchObject(items);
  expect(folders.of('bob')).toEqual([]);
  expect(events).toMatchObject([{ kind: 'folder.allowed', metadata: { to: 'ann', access: 'read' } }]);
  expect(JSON.stringify(events)).not.toContain('/home/ann');
  await folders.allow({ userId: '*', path: '~/link', access: 'write' });
  expect(folders.of('bob')).toMatchObject([{ access: 'write' }]);
  expect(folders.remove({ userId: 'ann', path: '/home/ann/work' })).toMatchObject({ items: [{ userId: '*' }] });
  expect(folders.remove({ userId: 'ann', path: '/home/ann/work' })).toMatchObject({ refused: 'not_found' });
});

test.each([
  ['the whole disk', answer(folder('/a', { realPath: '/' })), 'The whole disk cannot be allowed'],
  [
    'a secret folder',
    answer(folder('/a', { secret: 'keys and credentials' })),
    'is a secret place (keys and credentials)',
  ],
  ['a file', answer(folder('/a', { kind: 'file' })), 'is not a folder'],
  ['a folder that is missing', answer(folder('/a', { kind: 'missing' })), 'is not there'],
  ['any folder while the agent is offline', undefined, 'The device agent did not say in time'],
])('%s cannot be allowed', async (_what, outcome, detail) => {
  const { agent, events, folders } = startPaths();
  agent.outcome = outcome;
  const refused = await folders.allow({ userId: 'ann', path: '/a', access: 'read' });
  expect(refused).toMatchObject({ refused: 'validation_failed', detail: expect.stringContaining(detail) });
  expect([folders.list().items, events]).toEqual([[], []]);
});
