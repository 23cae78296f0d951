import { createServer } from 'node:net';
import { findRunningDaemon } from '../own-daemon/running-daemon.ts';
import type { Settings } from '../own-daemon/settings.ts';
import type { Finding } from './finding.ts';

const check = 'port';
const ADDRESS = '127.0.0.1';

/** Whether Handrail can listen, or does already. */
export async function checkPort(settings: Pick<Settings, 'port' | 'dataDirectory'>): Promise<Finding[]> {
  const running = await findRunningDaemon(settings);
  if (running !== undefined)
    return [{ check, state: 'good', message: `Handrail runs already at ${running.dashboardAddress}` }];
  const { port } = settings;
  const fault = await faultOfListening(port);
  if (fault === undefined)
    return [{ check, state: 'good', message: port === 0 ? 'any free port' : `port ${port} is free` }];
  const isTaken = fault === 'EADDRINUSE';
  return [
    {
      check,
      state: 'problem',
      message: isTaken ? `Another program has port ${port}.` : `Port ${port} cannot be used (${fault}).`,
      remedy: `${isTaken ? 'End that program, or set' : 'Set'} HANDRAIL_PORT to another port, such as ${port === 3002 ? 3003 : 3002}.`,
    },
  ];
}

/** Listens for a moment. The code of the fault, or undefined. */
function faultOfListening(port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(port, ADDRESS, () => server.close(() => resolve(undefined)));
  });
}
