import { Agent, request } from 'node:http';

/** Calls over one connection that stays open: the least a client can cost. Resolves with the status when all has come. */
export function createKeepAliveClient(base: string, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    post(path: string, body: object): Promise<number | undefined> {
      const bytes = Buffer.from(JSON.stringify(body));
      return new Promise((resolve, reject) => {
        const options = {
          agent,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.byteLength },
        };
        const sent = request(`${base}${path}`, options, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        sent.once('error', reject).end(bytes);
      });
    },
    get(path: string): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        const asked = request(`${base}${path}`, { agent, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        asked.once('error', reject).end();
      });
    },
    close: () => agent.destroy(),
  };
}
