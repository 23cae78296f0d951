import { loadDriver } from './load-driver.ts';
import { openWebSocket } from './open-web-socket.ts';
import { runAgent } from './run-agent.ts';

runAgent({ openLink: openWebSocket, loadDriver });
