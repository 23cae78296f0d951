import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { QUIET, WHOLE_CHROMIUM } from '../browser/chromium.ts';
import { until } from '../desktop/processes.ts';
import { PATIENCE_MS } from './agent-online.ts';

/** A page in a browser profile of its own. */
export type PlainTab = {
  /** Opens an address. `script` runs in the page before the scripts of the page do. */
  open(url: string, script: string): Promise<void>;
  /** The value of an expression in the page, which has to be JSON. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
};

type PlainChromium = { openTab(): Promise<PlainTab>; close(): Promise<void> };
type Call = (method: string, params?: object, sessionId?: string) => Promise<Record<string, string>>;

/**
 * Chromium without Playwright, which puts scripts of its own into each page and makes Chromium read the page's scripts a second time
 * for its error objects. That takes about a quarter of the time until the page is drawn, and no person's browser does it.
 */
export async function startPlainChromium(): Promise<PlainChromium> {
  const profile = mkdtempSync(join(tmpdir(), 'handrail-plain-chromium-'));
  const args = [...QUIET, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(WHOLE_CHROMIUM, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const address = await until('Chromium listens for its developer tools', () => addressOf(profile), PATIENCE_MS);
  const { call, close } = await connect(address);
  return {
    openTab: () => openTab(call),
    async close() {
      close();
      child.kill();
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function addressOf(profile: string): string | undefined {
  try {
    const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
    return path === undefined ? undefined : `ws://127.0.0.1:${port}${path}`;
  } catch {
    return undefined;
  }
}

async function connect(address: string): Promise<{ call: Call; close: () => void }> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Record<string, string>>>();
  socket.on('message', (message) => {
    const { id, result, error } = JSON.parse(String(message));
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(`Chromium: ${error.message}`));
  });
  let calls = 0;
  return {
    call(method, params = {}, sessionId) {
      calls += 1;
      const answer = Promise.withResolvers<Record<string, string>>();
      waiting.set(calls, answer);
      socket.send(JSON.stringify({ id: calls, method, params, sessionId }));
      return answer.promise;
    },
    close: () => socket.terminate(),
  };
}

async function openTab(call: Call): Promise<PlainTab> {
  const { browserContextId } = await call('Target.createBrowserContext');
  const { targetId } = await call('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width: 1_440,
    height: 900,
  });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  return {
    async open(url, source) {
      await call('Page.enable', {}, sessionId);
      await call('Page.addScriptToEvaluateOnNewDocument', { source }, sessionId);
      await call('Page.navigate', { url }, sessionId);
    },
    async evaluate(expression) {
      const answer = await call('Runtime.evaluate', { expression, returnByValue: true }, sessionId);
      return Object(answer.result).value;
    },
    async close() {
      await call('Target.disposeBrowserContext', { browserContextId });
    },
  };
}
