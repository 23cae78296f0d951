import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A site of this machine on a port of its own. */
export type WebSite = { host: string; close(): void };

export async function serveSite(listener: RequestListener, name = '127.0.0.1'): Promise<WebSite> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `${name}:${Object(server.address()).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
