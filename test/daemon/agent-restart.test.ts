import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createForkedAgent } from '../../src/agent-host/process.ts';
import type { SpawnAgent } from '../../src/agent-host/supervisor.ts';
import { REFUSED_EXIT_CODE } from '../../src/contract/link.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import { BUNDLED_AGENT } from '../agent-host/bundled-agent.ts';
import { textIn } from '../http/rig.ts';

const quiet = () => undefined;

/** Its process ends at once, like an agent that the daemon refused: the supervisor does not restart it. */
const refused: SpawnAgent = (events) => {
  setImmediate(() => events.ended({ exitCode: REFUSED_EXIT_CODE, reason: 'it was refused' }));
  return { send: quiet, kill: quiet };
};

test('an agent that the supervisor does not restart comes online when the person starts it again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-restart-'));
  const environment = { PATH: process.env.PATH, HANDRAIL_AGENT_DRIVER: 'fake' };
  const kinds = [refused, createForkedAgent(environment, { entry: BUNDLED_AGENT })];
  const daemon = await startDaemon({
    settings: { port: 0, dataDirectory: folder, logLevel: 'silent', rateLimits: 'off', allowOsUsers: [] },
    log: { info: quiet, warn: quiet, error: quiet },
    environment,
    spawnAgent: () => (events) => (kinds.shift() ?? refused)(events),
  });
  onTestFinished(async () => {
    await daemon.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${daemon.port}`;
  const post = async (path: string, headers: Record<string, string>, body?: object): Promise<unknown> => {
    const json = body && { 'content-type': 'application/json' };
    const init = { method: 'POST', headers: { origin: url, ...json, ...headers } };
    return (await fetch(url + path, { ...init, body: body && JSON.stringify(body) })).json();
  };
  const health = async (): Promise<unknown> => (await fetch(`${url}/health`)).json();
  const becomes = (agent: string) =>
    vi.waitFor(async () => expect(await health()).toMatchObject({ checks: { agent } }), { timeout: 15_000 });
  const session = await post('/api/console/session', {}, { code: daemon.createSignInCode() });
  await becomes('offline');
  const authorization = `Bearer ${textIn(session, 'key')}`;
  expect(await post('/api/console/agent/restart', { authorization })).toMatchObject({ agent: 'starting' });
  await becomes('online');
}, 20_000);
