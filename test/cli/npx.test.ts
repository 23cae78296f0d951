import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handrail, newHome } from './rig.ts';

/** A copy of the package in the cache of npx, under the name that the person gave, and the folder that they gave it in. */
function ofNpx() {
  const home = newHome();
  const cache = join(home, '.npm/_npx/615e');
  const launch = join(cache, 'node_modules/handrail/src/launch');
  mkdirSync(launch, { recursive: true });
  const commandFile = join(launch, 'handrail.cjs');
  writeFileSync(commandFile, '');
  writeFileSync(join(cache, 'package.json'), '{"_npx":{"packages":["./hand rail.tgz"]}}');
  writeFileSync(join(home, 'hand rail.tgz'), '');
  const self = { command: '/opt/node', args: [join(cache, 'node_modules/handrail/dist/daemon/cli.js')] };
  return { home, commandFile, self, environment: { PATH: process.env.PATH } };
}

const CONNECT = ['connect', 'claude-code', '--yes'];

test('after npx, connect names the command that takes it back as it is typed, and warns of the cache', async () => {
  const copy = ofNpx();
  const { output, errors } = await handrail(CONNECT, copy);
  expect(output).toContain("`npx --yes './hand rail.tgz' disconnect claude-code` takes it back.");
  expect(errors).toContain(
    "this copy is in the cache of npx, which npm may clear. `npm i -g './hand rail.tgz'` installs it for good.",
  );
  expect(await handrail(['connect', 'codex', '--print'], copy)).toMatchObject({
    code: 0,
    errors: expect.stringContaining('the cache of npx'),
  });
});

test('in a folder where the name leads nowhere, the command is the one that works there', async () => {
  const copy = ofNpx();
  const { output, errors } = await handrail(CONNECT, { ...copy, folder: '/' });
  expect(output).toContain(`\`node ${copy.commandFile} disconnect claude-code\` takes it back.`);
  expect(errors).toContain('`npm i -g` installs it for good.');
});

test('an installed Handrail is taken back by its name, and nothing is said of npx', async () => {
  const { home, commandFile: copied, ...world } = ofNpx();
  const commandFile = join(home, 'handrail.cjs');
  writeFileSync(commandFile, '');
  mkdirSync(join(home, 'bin'));
  symlinkSync(commandFile, join(home, 'bin/handrail'));
  const { output, errors } = await handrail(CONNECT, {
    ...world,
    home,
    commandFile,
    environment: { PATH: join(home, 'bin') },
  });
  expect(output).toContain('`handrail disconnect claude-code` takes it back.');
  expect(errors).not.toContain('npx, which');
  expect(copied).not.toBe(commandFile);
});

test('a service of such a copy warns too', async () => {
  const copy = ofNpx();
  const bin = join(copy.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\n', { mode: 0o755 });
  expect(await handrail(['service', 'install'], { ...copy, environment: { PATH: bin } })).toMatchObject({
    code: 0,
    errors: expect.stringContaining("`npm i -g './hand rail.tgz'` installs it for good."),
  });
});
