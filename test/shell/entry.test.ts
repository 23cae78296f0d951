import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { START_ENTRY, startApp } from './running-app.ts';

const MAIN = join(import.meta.dirname, '../../src/electron/main.ts');
const home = mkdtempSync(join(tmpdir(), 'handrail-entry-'));
/** Node reads the whole daemon from its sources, which takes long on a busy machine. */
const PATIENCE = { timeout: 120_000 };

const environment = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: '{}' };
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

test(
  'the entry of the app is loaded before electron is ready, then it serves with an agent, and Quit ends it',
  PATIENCE,
  async () => {
    const app = await startApp(MAIN, { home, environment });
    const agent = async () => Object(await (await fetch(`${app.base}/health`)).json()).checks?.agent === 'online';
    await until('the agent is online', agent, PATIENCE.timeout);
    expect(await app.quit()).toEqual([0, null]);
    expect(statSync(join(home, 'daemon-shell/handrail.log')).mode & 0o777).toBe(0o600);
  },
);

test('a start that fails before there is a window says why in a dialog, and ends with 1', PATIENCE, async () => {
  const env = { ...environment, PATH: process.env.PATH, HOME: home, HANDRAIL_PORT: 'seven' };
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [START_ENTRY, MAIN], { env }, (error, _output, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(ended).toEqual({ code: 1, stderr: expect.stringMatching(/^Handrail cannot start: HANDRAIL_PORT/m) });
});
