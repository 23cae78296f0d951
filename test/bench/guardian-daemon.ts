import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import { LOCAL } from '../../src/contract/machine-rules.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { AgentPort } from '../../src/services/agent/port.ts';
import { type Clock, type Context, createIds, systemClock } from '../../src/services/context.ts';
import { createServices } from '../../src/services/wiring.ts';
import { createStore } from '../../src/store/store.ts';
import { knowsNoProgram, servesEverybody } from '../http/serves-everybody.ts';
import { localOnly } from '../services/local-only.ts';

/**
 * A daemon without an agent, whose clock begins at a given time: `guardian-daemon.ts <data directory> <epoch milliseconds>`; with `online` after
 * these, its agent is online and never answers. Tells its
 * parent the port and a sign-in code, and whenever it gets a message what it has used: processor time in all, and for how long its event loop was held
 * up at most since it was asked last.
 */
const [path = '', presentMs = '', agent = ''] = process.argv.slice(2);
const aheadMs = Number(presentMs) - Date.now();
const clock: Clock = { ...systemClock, nowMs: () => Date.now() + aheadMs };
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: console.error };

const ONLINE: Partial<AgentPort> = {
  status: () => 'online',
  perform: quiet,
  agent: () => ({
    id: 'agent',
    platform: 'linux',
    hostname: 'bench',
    version: '0',
    displays: [],
    permissions: { screenRecording: 'not_required', accessibility: 'not_required', automation: 'not_required' },
  }),
};

const store = createStore({ path, now: clock.nowMs });
const context: Context = { store, clock, log, newId: createIds(clock) };
const link = createAgentLink({ abandon: () => undefined });
const services = createServices(context, {
  machines: localOnly(agent === 'online' ? { ...link.port, ...ONLINE } : link.port),
  restartAgent: quiet,
  version: '0',
  instanceId: 'bench',
  platform: 'linux',
  variables: [],
  scripts: () => 'available',
  isShortOfProcesses: () => false,
});
link.listen(services.agentListener(LOCAL));
const app = await createHttpServer({
  services,
  agentDoor: link.door,
  peerGate: servesEverybody,
  findProgram: knowsNoProgram,
  rateLimits: 'off',
  log,
});
services.begin();
services.watch();
const port = await listen(app, 0);

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ processorMs: (user + system) / 1_000, longestPauseMs: delay.max / 1e6 });
  delay.reset();
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', async () => {
  await services.end();
  await app.close();
  store.close();
  process.exit();
});
process.send?.({ port, code: services.createSignInCode() });
