import { expect, test } from 'vitest';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import type { AttemptOutcome } from '../../../src/services/agent/port.ts';
import { createAllowedFolders } from '../../../src/services/permissions/allowed-folders.ts';
import { createTargets } from '../../../src/services/targets/targets.ts';
import { done, startServices } from '../rig.ts';

const IDENTITY = { device: '1', inode: '2' };

function folder(path: string, more: Partial<ResolvedPath> = {}): ResolvedPath {
  return { path, realPath: path, kind: 'folder', identity: IDENTITY, folder: IDENTITY, ...more };
}

function answer(file: ResolvedPath): AttemptOutcome {
  return done({ data: { targets: [{ kind: 'path', path: file.path, file }] } });
}

/** The folders on a real store, with an agent whose answers the test chooses. */
function startFolders() {
  const { context, store } = startServices();
  const agent: { outcome: AttemptOutcome | undefined } = { outcome: undefined };
  const targets = createTargets(context, { ask: async () => agent.outcome });
  const events: unknown[] = [];
  const change = (event: unknown, work: () => void) => {
    store.write('durable', work);
    events.push(event);
  };
  return {
    agent,
    events,
    store,
    folders: createAllowedFolders(context, {
      permissions: { change, policyVersion: () => String(events.length) },
      targets,
    }),
  };
}

test('at most 200 folders are allowed', async () => {
  const { agent, folders } = startFolders();
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

test('a folder is looked at anew when it is allowed: a link may lead elsewhere since the answer before', async () => {
  const { agent, folders } = startFolders();
  agent.outcome = answer(folder('/link', { realPath: '/home/ann/work' }));
  await folders.allow({ userId: 'ann', path: '/link', access: 'read' });
  agent.outcome = answer(folder('/link', { realPath: '/home/ann/other' }));
  expect(await folders.allow({ userId: 'ann', path: '/link', access: 'read' })).toMatchObject({
    items: [{ path: '/home/ann/other' }, { path: '/home/ann/work' }],
  });
});

test('P5: a folder that was shown in a prompt is not allowed if a link leads from there to another one by now', async () => {
  const { agent, events, folders } = startFolders();
  agent.outcome = answer(folder('/home/ann/work', { realPath: '/home/ann' }));
  const shown = { userId: 'ann', path: '/home/ann/work', access: 'write', isReal: true } as const;
  expect(await folders.allow(shown)).toMatchObject({
    refused: 'validation_failed',
    detail: '/home/ann/work leads elsewhere by now, so it was not allowed.',
  });
  expect([folders.list().items, events]).toEqual([[], []]);
  agent.outcome = answer(folder('/home/ann/work'));
  expect(await folders.allow(shown)).toMatchObject({ items: [{ path: '/home/ann/work' }] });
});

test('the folder of the daemon is secret, wherever it is', async () => {
  const { agent, folders, store } = startFolders();
  agent.outcome = answer(folder('/link', { realPath: `${store.path}/artifacts` }));
  expect(await folders.allow({ userId: 'ann', path: '/link', access: 'read' })).toMatchObject({
    refused: 'validation_failed',
    detail: expect.stringContaining("is a secret place (Handrail's own data)"),
  });
});

test('a folder is allowed by its real path, and the journal names only a digest of it', async () => {
  const { agent, events, folders } = startFolders();
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
  ['any folder while the agent is offline', undefined, 'The device agent did not look at the target in time'],
])('%s cannot be allowed', async (_what, outcome, detail) => {
  const { agent, events, folders } = startFolders();
  agent.outcome = outcome;
  const refused = await folders.allow({ userId: 'ann', path: '/a', access: 'read' });
  expect(refused).toMatchObject({ refused: 'validation_failed', detail: expect.stringContaining(detail) });
  expect([folders.list().items, events]).toEqual([[], []]);
});
