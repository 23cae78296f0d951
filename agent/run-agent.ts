import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import packageFile from '../package.json' with { type: 'json' };
import { type PerformParams, REFUSED_EXIT_CODE } from '../src/contract/link.ts';
import { startAgent } from './agent.ts';
import { type loadDriver, platformOf } from './load-driver.ts';
import type { openWebSocket } from './open-web-socket.ts';
import type { ParentChannel } from './parent-channel.ts';
import { endLeftovers } from './scripts/bubblewrap.ts';
import { testSandbox } from './scripts/run-in-sandbox.ts';

/** Where the agent meets the rest of the world. */
export type Seams = {
  /** Nothing where nobody started this process as an agent. */
  parent: ParentChannel | null;
  openLink: typeof openWebSocket;
  /** Of an agent whose daemon is on another computer. */
  here?: (params: PerformParams) => PerformParams;
  loadDriver: typeof loadDriver;
};

/** The device agent's process. */
export function runAgent({ parent, openLink, here, loadDriver }: Seams): void {
  // Nobody reads the log of an agent whose daemon is gone.
  process.stderr.on('error', () => undefined);
  const platform = platformOf(process.platform, process.env);
  if (parent === null || platform === undefined) {
    log(parent === null ? 'expected to be started by the Handrail daemon' : `no driver for ${process.platform}`);
    process.exitCode = REFUSED_EXIT_CODE;
    return;
  }
  const agent = startAgent({
    identity: {
      agentVersion: packageFile.version,
      bootId: randomUUID(),
      pid: process.pid,
      platform,
      hostname: hostname(),
    },
    parent,
    openLink,
    here,
    loadDriver: () => loadDriver(platform, process.env),
    testScripts() {
      if (process.platform === 'linux') endLeftovers();
      return testSandbox();
    },
    log,
    exit: (code) => process.exit(code),
  });
  process.on('uncaughtException', agent.fail);
  process.on('unhandledRejection', agent.fail);
  process.on('SIGTERM', () => agent.stop({ exitCode: 0, withinMs: 3_000 }));
  // Ctrl-C and the end of a terminal reach the daemon too, which ends its agent when the work is handed back.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
