import { onTestFinished } from 'vitest';
import type { App } from '../../src/http/app.ts';
import type { HttpLimits } from '../../src/http/limits.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createFakeServices, type FakeServices } from './fake-services.ts';
import type { Address } from './raw-http.ts';

export type Rig = Address & {
  app: App;
  services: FakeServices;
  url: string;
  /** What the server logged, as texts. */
  logged: string[];
};

/** A real server on a free port over services in memory, closed when the test ends. */
export async function startRig(
  options: { limits?: Partial<HttpLimits>; rateLimits?: 'on' | 'off' } = {},
): Promise<Rig> {
  const services = createFakeServices();
  const logged: string[] = [];
  const note = (...parts: unknown[]) => logged.push(parts.map(String).join(' '));
  const app = await createHttpServer({
    services,
    agentDoor: { admit: () => 'invalid', attach: () => undefined },
    rateLimits: options.rateLimits ?? 'off',
    log: { info: note, warn: note, error: note },
    limits: { timeoutCheckMs: 50, ...options.limits },
  });
  const port = await listen(app, 0);
  onTestFinished(() => app.close());
  return { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}`, app, services, logged };
}
