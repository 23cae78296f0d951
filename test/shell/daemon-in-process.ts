import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import type { Device } from '../../src/contract/device.ts';
import type { MetricList } from '../../src/contract/guardian.ts';
import type { Session } from '../../src/contract/session.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import type { Settings } from '../../src/own-daemon/settings.ts';
import { BUNDLED_AGENT } from '../agent-host/bundled-agent.ts';
import { until } from '../desktop/processes.ts';

/** A daemon as the shell holds it, with an agent whose fake desktop writes down all that happens to it. */
export type DaemonInProcess = {
  daemon: Daemon;
  submit(body: Pick<ActionSubmission, 'actionType' | 'parameters'>): Promise<Action>;
  action(actionId: string): Promise<Action>;
  /** What waits for the person, as their dashboard has it. */
  prompts(): Promise<Confirmation[]>;
  /** The person's own yes: shown, looked at, allowed once. */
  allow(prompt: Confirmation): Promise<Action>;
  refusedAttempts(): Promise<number>;
  /** Everything that really happened on the fake desktop, one line of JSON each. */
  ledger(): string[];
  end(): Promise<void>;
};

const quiet = () => undefined;

export async function startDaemonInProcess(more: Partial<Settings> = {}): Promise<DaemonInProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-shell-'));
  const ledgerPath = join(folder, 'ledger');
  const daemon = await startDaemon({
    settings: {
      port: 0,
      dataDirectory: join(folder, 'state'),
      logLevel: 'silent',
      rateLimits: 'off',
      allowOsUsers: [],
      ...more,
    },
    log: { info: quiet, warn: quiet, error: quiet },
    environment: {
      PATH: process.env.PATH,
      HANDRAIL_AGENT_DRIVER: 'fake',
      HANDRAIL_FAKE_SCENARIO: JSON.stringify({ ledgerPath }),
    },
    agentEntry: BUNDLED_AGENT,
  });
  const call = caller(`http://127.0.0.1:${daemon.port}`);
  const asAnn = { 'x-user-id': 'ann' };
  const { id } = await call<Device>('/api/tee/devices/register', asAnn, {
    type: 'linux',
    name: 'Desk',
    capabilities: { canCaptureScreen: true },
  });
  const code = daemon.createSignInCode();
  const { key } = await call<Session>('/api/console/session', {}, { code });
  const asPerson = { authorization: `Bearer ${key}` };
  return {
    daemon,
    submit: (body) => call('/api/tee/actions', asAnn, { targetDeviceId: id, ...body }),
    action: (actionId) => call(`/api/tee/actions/${actionId}`, asAnn),
    prompts: async () => (await call<{ items: Confirmation[] }>('/api/console/confirmations', asPerson)).items,
    async allow({ id, nonce, actionDigest }) {
      const path = `/api/console/confirmations/${id}`;
      const { answerableAt } = await call<Confirmation>(`${path}/shown`, asPerson, null);
      await until('the prompt can be answered', () => Date.now() >= Date.parse(String(answerableAt)));
      return call(`${path}/decision`, asPerson, { decision: 'allow', scope: 'once', nonce, actionDigest });
    },
    async refusedAttempts() {
      const { items } = await call<MetricList>('/api/guardian/metrics?type=control_violations', {});
      const held = items[0]?.breakdown?.held;
      return typeof held === 'object' ? Object.values(held).reduce((sum, count) => sum + count, 0) : 0;
    },
    ledger: () => linesOf(ledgerPath),
    async end() {
      await daemon.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads without a body; writes one otherwise, an empty one for `null`. */
export function caller(base: string) {
  return async <Body>(path: string, headers: Record<string, string>, body?: unknown): Promise<Body> => {
    const isJson = body !== undefined && body !== null;
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, origin: base, ...(isJson ? { 'content-type': 'application/json' } : {}) },
      ...(isJson ? { body: JSON.stringify(body) } : {}),
    });
    return response.json() as Promise<Body>;
  };
}

export function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
