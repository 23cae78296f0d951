import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineView } from '../../src/contract/machine-view.ts';
import type { PersonVerbAnswer } from '../../src/contract/person-verb.ts';
import { noteDaemon } from '../../src/store/database/data-directory.ts';
import { handrail, newHome, type World } from './rig.ts';

const STUDIO: MachineView = {
  name: 'studio',
  address: 'ann@studio.local',
  running: 0,
  addedAt: '2026-11-29T10:00:00.000Z',
  status: 'online',
  platform: 'linux',
  hostname: 'studio',
  version: '0.1.0',
  roundTripMs: 11.26,
};
const REASON = 'its host key is not known yet; run `ssh ann@studio.local` once by hand, and compare the key';
const LOST: MachineView = {
  name: 'studio',
  address: 'ann@studio.local',
  running: 0,
  addedAt: '2026-11-29T10:00:00.000Z',
  status: 'unreachable',
  reason: REASON,
};

/** A home whose daemon answers the person's verbs so. `heard` lists what came. */
async function homeWith(answers: Record<string, PersonVerbAnswer>, { hasTerminal = false } = {}) {
  const heard: { verb: string; asked: unknown }[] = [];
  const all: Record<string, PersonVerbAnswer> = { status: { done: JSON.stringify({ hasTerminal }) }, ...answers };
  const server = createServer(async (request, response) => {
    const verb = String(request.url?.split('/').at(-1));
    heard.push({ verb, asked: JSON.parse(await text(request)) });
    response.end(JSON.stringify(all[verb]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const home = newHome();
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  noteDaemon(join(home, 'data'), { port: (server.address() as AddressInfo).port, key: 'k'.repeat(43) });
  return { heard, run: (words: readonly string[], world: World = {}) => handrail(words, { ...world, home }) };
}

const told = (value: unknown): PersonVerbAnswer => ({ done: JSON.stringify(value) });

test('a machine is added with its name, address, command and display', async () => {
  const { run, heard } = await homeWith({ 'machine-add': told({ items: [STUDIO] }) });
  const options = ['--command', '~/handrail/bin', '--display', ':1'];
  const { code, output } = await run(['machine', 'add', 'studio', 'ann@studio.local', ...options]);
  expect([code, output]).toEqual([0, 'studio is added. Whether it can be reached: handrail machine test studio\n']);
  const machine = { name: 'studio', address: 'ann@studio.local', agentCommand: '~/handrail/bin', display: ':1' };
  expect(heard.at(-1)).toEqual({ verb: 'machine-add', asked: { words: '', machine } });
});

test.each(['add studio ann@studio.local', 'remove studio'])(
  'where Handrail has a terminal, `machine %s` takes a code',
  async (words) => {
    const { run, heard } = await homeWith(
      { 'machine-add': told({ items: [] }), 'machine-remove': told({ items: [] }) },
      { hasTerminal: true },
    );
    const without = await run(['machine', ...words.split(' ')]);
    expect([without.code, without.errors]).toEqual([1, expect.stringContaining('A code is needed.')]);
    const { code } = await run(['machine', ...words.split(' ')], { typed: '7KQF-3XWA\n' });
    expect(code).toBe(0);
    expect(heard.at(-1)?.asked).toMatchObject({ words: '7KQF-3XWA', machine: { name: 'studio' } });
  },
);

test.each([
  ['a name that is none', ['machine', 'add', 'Studio', 'studio.local']],
  ['an option of ssh as address', ['machine', 'add', 'studio', '--', '-oProxyCommand=x']],
  ['a command of two words', ['machine', 'add', 'studio', 'studio', '--command', 'sh -c x']],
  ['a display that is none', ['machine', 'add', 'studio', 'studio', '--display', 'studio:0']],
  ['no address', ['machine', 'add', 'studio']],
])('%s is wrong usage, and nothing is asked', async (_what, words) => {
  const { run, heard } = await homeWith({});
  const { code, errors } = await run(words);
  expect([code, errors]).toEqual([2, expect.stringMatching(/should be|missing required argument/)]);
  expect(heard).toEqual([]);
});

test('a machine that is reached is told with its round trip, and one that is not with what helps', async () => {
  const reached = await homeWith({ 'machine-test': told(STUDIO) });
  const good = await reached.run(['machine', 'test', 'studio']);
  expect([good.code, good.output]).toEqual([
    0,
    'studio  ann@studio.local  online  linux on studio, version 0.1.0  11.3 ms there and back\n',
  ]);
  const lost = await homeWith({ 'machine-test': told(LOST) });
  const bad = await lost.run(['machine', 'test', 'studio']);
  expect([bad.code, bad.output]).toEqual([5, `studio  ann@studio.local  unreachable\n  → ${REASON}\n`]);
});

test('the list names every machine, or how to add the first', async () => {
  const some = await homeWith({
    machines: told({
      items: [
        { ...STUDIO, running: 2 },
        { ...LOST, name: 'box' },
      ],
    }),
  });
  expect((await some.run(['machine', 'list'])).output.split('\n')).toEqual([
    expect.stringMatching(/^studio .* 2 running$/),
    expect.stringMatching(/^box {2}/),
    `  → ${REASON}`,
    '',
  ]);
  const none = await homeWith({ machines: told({ items: [] }) });
  expect((await none.run(['machine', 'list'])).output).toContain('handrail machine add NAME user@host');
});

test('what the daemon declines is an error in its words', async () => {
  const { run } = await homeWith({ 'machine-remove': { declined: 'There is no machine "studio".' } });
  const { code, errors } = await run(['machine', 'remove', 'studio']);
  expect([code, errors]).toEqual([1, 'handrail: There is no machine "studio".\n']);
});
