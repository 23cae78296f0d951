import type { App } from '../../src/http/app.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createFakeServices } from '../http/fake-services.ts';
import { knowsNoProgram, servesEverybody } from '../http/serves-everybody.ts';
import type { ScriptedConsole } from './scripted-daemon.ts';

/** The HTTP of a scripted daemon. */
export type ScriptedSite = {
  url: string;
  /** From now on, another daemon answers at this address. */
  serve(daemon: ScriptedConsole): void;
  /** Stops the daemon's HTTP, as a restart does; `start` brings it back on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function openScriptedSite(daemon: ScriptedConsole): Promise<ScriptedSite> {
  let port = 0;
  let app: App | undefined;
  let services = servicesOf(daemon);
  const start = async () => {
    if (app !== undefined) return;
    const created = await createHttpServer({
      services: alwaysThe(() => services),
      agentDoor: { admit: () => 'invalid', attach: () => undefined },
      peerGate: servesEverybody,
      findProgram: knowsNoProgram,
      rateLimits: 'on',
      log: { info: ignore, warn: ignore, error: console.error },
    });
    port = await listen(created, port);
    app = created;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    serve(next) {
      services = servicesOf(next);
    },
    start,
    async stop() {
      await app?.close();
      app = undefined;
    },
  };
}

function servicesOf(daemon: ScriptedConsole) {
  const fake = createFakeServices();
  const guardian = { ...fake.guardian, acknowledge: daemon.acknowledge };
  return { ...fake, console: daemon, events: daemon.events, guardian };
}

/** Passes each call on to the current object. Its parts do so too, even if they were read from an earlier object. */
function alwaysThe<Whole extends object>(current: () => Whole): Whole {
  return new Proxy(current(), {
    get(_first, name) {
      const read = (): unknown => Reflect.get(current(), name);
      const value = read();
      if (typeof value === 'function') {
        return (...args: unknown[]) => Reflect.apply(read() as (...args: unknown[]) => unknown, current(), args);
      }
      return typeof value === 'object' && value !== null ? alwaysThe(read as () => object) : value;
    },
  });
}

const ignore = () => undefined;
