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

/** A port that answers as a daemon does when it is asked how it is. `null`: it never answers. */
export async function pretendedDaemon(says: Partial<Health> | null) {
  let answer = says;
  const server = createServer((_request, response) => {
    if (answer !== null) response.end(JSON.stringify({ ...HEALTH, ...answer }));
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
