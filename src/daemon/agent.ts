import { join } from 'node:path';
import { type AgentLink, createAgentLink } from '../agent-host/link/agent-link.ts';
import { type AgentEntry, agentEnvironment, createAgentPidFile, createForkedAgent } from '../agent-host/process.ts';
import { createAgentSupervisor, type SpawnAgent } from '../agent-host/supervisor.ts';
import { createAgentDesktop } from '../agent-host/virtual-desktop/agent-desktop.ts';
import { LINK_PATH } from '../contract/link.ts';
import type { HttpLog } from '../http/app.ts';
import type { Settings } from '../own-daemon/settings.ts';

/** The environment of an agent's process, and the listener for its start. */
export type AgentStart = {
  /** The whole environment of the process. It holds no secrets. */
  environment: NodeJS.ProcessEnv;
  /** To be told the process id of each agent that was started. */
  started(pid: number): void;
};

type AgentOptions = {
  settings: Settings;
  log: HttpLog;
  environment: NodeJS.ProcessEnv;
  spawnAgent?: (start: AgentStart) => SpawnAgent;
  agentEntry?: AgentEntry;
};

export type Agent = {
  link: AgentLink;
  begin(port: number): void;
  restart(): void;
  isShort(): boolean;
  /** Why scripts do not work, if the agent found it out when it tried them. */
  scriptsReason(): string | undefined;
  /** Why there is no desktop, where a private one was needed and could not be started. */
  desktopReason(): string | undefined;
  end(): Promise<void>;
};

/** The agent's link, process and desktop, which start, move and end together. */
export function createAgent({ log, settings, environment, spawnAgent, agentEntry }: AgentOptions): Agent {
  let port = 0;
  const pidFile = createAgentPidFile(join(settings.dataDirectory, 'agent.pid'));
  const started = (pid: number) => {
    pidFile.note(pid).catch((error: unknown) => log.warn({ err: error }, 'the process id of the agent is not noted'));
  };
  const spawnIn = (ofDesktop: Record<string, string>): SpawnAgent => {
    const agentsOwn = forkEnvironment(environment, ofDesktop);
    if (spawnAgent !== undefined) return spawnAgent({ environment: agentsOwn, started });
    return createForkedAgent(agentsOwn, { entry: agentEntry, started });
  };
  let spawn = spawnIn({});
  let scriptsReason: string | undefined;
  const link = createAgentLink({
    abandon: (next) => supervisor.replace(next),
    scriptsTested(reason) {
      scriptsReason = reason;
      if (reason !== undefined) log.warn({}, `Scripts do not work here: ${reason}`);
    },
  });
  const supervisor = createAgentSupervisor({
    spawn: (events) => spawn(events),
    url: () => `ws://127.0.0.1:${port}${LINK_PATH}`,
    link: link.process,
    log,
  });
  const desktop = createAgentDesktop({
    platform: process.platform,
    environment,
    log,
    broken: () => orSaid(moveIn(() => supervisor.restart())),
  });

  async function moveIn(start: () => void): Promise<void> {
    spawn = spawnIn(await desktop.environment());
    start();
  }

  /** The agent stays away then, which health and the page show; the daemon goes on. */
  const orSaid = (work: Promise<void>): void =>
    void work.catch((error: unknown) => log.error({ err: error }, 'the agent could not be started'));

  async function takeOver(): Promise<void> {
    if (!(await pidFile.predecessorGone())) log.warn({}, 'the agent of a daemon before this one may still be running');
    await moveIn(() => supervisor.start());
  }

  return {
    link,
    begin(listeningPort) {
      port = listeningPort;
      link.coming();
      orSaid(takeOver());
    },
    restart() {
      link.coming();
      orSaid(moveIn(() => supervisor.restart()));
    },
    isShort: () => supervisor.isShort(),
    // The rest may name folders of the person, and every user of the machine can read `/health`.
    scriptsReason: () => scriptsReason?.split(/[.:]/u)[0],
    desktopReason: desktop.problem,
    async end() {
      await supervisor.stop();
      link.close();
      await desktop.close();
    },
  };
}

/** Settings that choose and script the agent's fake driver, for tests. */
const TEST_SETTINGS = ['HANDRAIL_AGENT_DRIVER', 'HANDRAIL_FAKE_SCENARIO'];

function forkEnvironment(environment: NodeJS.ProcessEnv, ofDesktop: Record<string, string>): NodeJS.ProcessEnv {
  const forTests = TEST_SETTINGS.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return agentEnvironment(environment, { ...ofDesktop, ...Object.fromEntries(forTests) });
}
