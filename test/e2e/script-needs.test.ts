import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { startScriptsRig } from './scripts-rig.ts';

test('without bubblewrap the log names it once with the command that installs it, health says it, and no script runs', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'handrail-no-programs-'));
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
  const rig = await startScriptsRig({ PATH: empty });
  expect((await rig.daemon.health()).body.checks).toMatchObject({ scripts: 'unavailable', overall: 'ok' });
  const said = 'Scripts cannot run, because bubblewrap is not installed. Install it: ';
  expect(rig.daemon.log().split(said)).toHaveLength(2);
  expect(rig.daemon.log()).toMatch(/apt-get install --yes --no-install-recommends bubblewrap"/);
  const ended = await rig.run('RunScript', { interpreter: 'sh', folder: '~/work', script: 'touch ran' });
  expect(ended).toMatchObject({ status: 'failed', effect: 'none', error: { code: 'sandbox_unavailable' } });
  expect(rig.ledger().filter((line) => line.includes('ran'))).toEqual([]);
});

test('a sandbox that does not work makes scripts unavailable, and health and the log say why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-broken-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
  chmodSync(join(folder, 'bwrap'), 0o755);
  const rig = await startScriptsRig({ PATH: `${folder}:${process.env.PATH}` });
  const checks = await until('the agent has tried it', async () => {
    const now = (await rig.daemon.health()).body.checks;
    return now.scripts === 'available' ? undefined : now;
  });
  expect(checks).toMatchObject({
    overall: 'ok',
    scripts: 'unavailable',
    scriptsReason: 'A sh script that does nothing does not begin',
  });
  expect(rig.daemon.log()).toContain('does not begin: bwrap: setting up uid map: Permission denied');
});
