import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { START_ENTRY, startApp } from './running-app.ts';

const MAIN = join(import.meta.dirname, '../../src/desktop/main.ts');
const home = mkdtempSync(join(tmpdir(), 'handrail-entry-'));
const environment = { DISPLAY: ':none', HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: '{}' };
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

test('the entry of the app is loaded before electron is ready, then it serves with an agent, and Quit ends it', async () => {
  const app = await startApp(MAIN, { home, environment });
  const agent = async () => Object(await (await fetch(`${app.base}/health`)).json()).checks?.agent === 'online';
  await until('the agent is online', agent);
  expect(await app.quit()).toEqual([0, null]);
  expect(statSync(join(home, 'daemon-shell/handrail.log')).mode & 0o777).toBe(0o600);
});

test('a start that fails before there is a window says why in a dialog, and ends with 1', () => {
  const env = { ...environment, PATH: process.env.PATH, HOME: home, HANDRAIL_PORT: 'seven' };
  const { status, stderr } = spawnSync(process.execPath, [START_ENTRY, MAIN], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^Handrail cannot start: HANDRAIL_PORT/m),
  });
});
