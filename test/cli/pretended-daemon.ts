import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from '../../src/contract/health.ts';

const KEPT = { usedBytes: 0, limitBytes: 1, limitBytesPerUser: 1 };
const HEALTH: Health = {
  status: 'ok',
  service: 'handrail',
  version: '0.1.0',
  uptimeMs: 1,
  instanceId: 'one',
  checks: { overall: 'ok', store: 'ok', agent: 'online', desktop: 'ok', processes: 'ok', scripts: 'available' },
  storage: { results: KEPT, artifacts: KEPT, formerVersions: { usedBytes: 0, limitBytes: 1, files: 0, limitFiles: 1 } },
};

/** What it answers to a call, with a status where that is not 200. */
type Told = { status?: number; body: unknown };

/** A port that answers as a daemon does when it is asked how it is. `null`: it never answers. `told`: its answers, by method and path. */
export async function pretendedDaemon(says: Partial<Health> | null, told: Readonly<Record<string, Told>> = {}) {
  let answer = says;
  const server = createServer(({ method, url }, response) => {
    const call = told[`${method} ${url}`];
    if (call !== undefined)
      response.writeHead(call.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(call.body));
    else if (answer !== null) response.end(JSON.stringify({ ...HEALTH, ...answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    says(next: Partial<Health>) {
      answer = next;
    },
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}
