import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * `node src/launch/launch.cjs test/workflow/try-app.ts <Handrail.app>`, as a step of the workflow: the packed app as a person starts it,
 * with its fuses as they are shipped. It serves on its port, its agent describes the screen, and it ends on SIGTERM.
 */

const TIMEOUT_MS = 60_000;

const [bundle = 'dist/packed/mac-arm64/Handrail.app'] = process.argv.slice(2);
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-app-'));
const child = spawn(join(bundle, 'Contents/MacOS/Handrail'), [], {
  env: { ...process.env, HANDRAIL_PORT: String(port), HANDRAIL_DATA_DIR: join(dataDirectory, 'daemon') },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const exited = once(child, 'exit');
exited.catch(() => undefined);

try {
  console.log('its health:', JSON.stringify(await healthy()));
  console.log('the screen:', JSON.stringify(await describeScreen()));
  child.kill('SIGTERM');
  const [code, signal] = await Promise.race([exited, pause(TIMEOUT_MS, ['none', 'too late'], { ref: false })]);
  console.log(`it ended with ${code ?? signal}`);
  if (code !== 0) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  child.kill('SIGKILL');
  rmSync(dataDirectory, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** The answer of `/health` once the agent is online. */
async function healthy(): Promise<unknown> {
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs; await pause(200)) {
    const health = await fetch(`${base}/health`)
      .then((answer) => answer.json())
      .catch(() => undefined);
    if (Object(health).checks?.agent === 'online') return health;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new Error('the app does not serve with an agent');
}

/** Works with and without permissions: the answer names the parts that the agent may not see. */
async function describeScreen(): Promise<unknown> {
  const capabilities = { canOpenApps: true, canCaptureScreen: true, canAccessFiles: true, canRunScripts: true };
  const { deviceId } = Object(await post('/api/tee/devices/register', { type: 'macos', name: 'Runner', capabilities }));
  const action = { targetDeviceId: deviceId, actionType: 'DescribeScreen', parameters: {} };
  const answer = Object(await post('/api/tee/actions', action));
  if (answer.status !== 'success') throw new Error(`DescribeScreen answered ${JSON.stringify(answer)}`);
  return answer.details;
}

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-user-id': 'workflow' };
  return (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}
