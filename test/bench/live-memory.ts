import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';

const MEGABYTE = 1024 * 1024;

/** The memory in use by a process, in MB. `arrayBuffers` is a part of `external`. */
type LiveMemory = { heapUsed: number; external: number; arrayBuffers: number };

/** A process with Node's inspector, and the log that names the inspector's address. */
type Inspected = { pid: number; log(): string };

/**
 * Reads the memory of a Node process after a forced collection, when nothing is left but what the process refers to. Resident
 * memory alone cannot tell a leak from garbage that V8 has not collected yet. The inspector opens at a signal, so the process
 * starts as it always does.
 */
export async function openLiveMemory({ pid, log }: Inspected) {
  const known = addressesIn(log()).length;
  process.kill(pid, 'SIGUSR1');
  const address = await until(`process ${pid} opens its inspector`, async () => addressesIn(log())[known]);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let calls = 0;

  async function call(method: string, params: object = {}): Promise<string> {
    calls += 1;
    socket.send(JSON.stringify({ id: calls, method, params }));
    for (;;) {
      const [data] = await once(socket, 'message');
      const answer = JSON.parse(String(data));
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
      if (answer.id === calls) return String(answer.result?.result?.value);
    }
  }

  return {
    async read(): Promise<LiveMemory> {
      // Finalizers of the first collection free what only the second one can collect.
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const expression = 'JSON.stringify(process.memoryUsage())';
      const { heapUsed, external, arrayBuffers } = JSON.parse(await call('Runtime.evaluate', { expression }));
      const inMegabytes = [heapUsed, external, arrayBuffers].map((bytes) => Number(bytes) / MEGABYTE);
      const [used = Number.NaN, outside = Number.NaN, buffers = Number.NaN] = inMegabytes;
      return { heapUsed: used, external: outside, arrayBuffers: buffers };
    },
    close: () => socket.terminate(),
  };
}

/** The environment of a daemon whose inspector opens on a free port. The agent's opens on Node's own, 9229. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

export type LiveMemories = ReturnType<typeof createLiveMemories>;

/** The same of a daemon and of its agent. The daemon was started with `INSPECTABLE`. Nothing is opened before the first reading. */
export function createLiveMemories({ pid, log, agentPid }: Pick<RunningDaemon, 'pid' | 'log' | 'agentPid'>) {
  let opening: ReturnType<typeof open> | undefined;
  async function open() {
    const daemon = await openLiveMemory({ pid, log });
    return { daemon, agent: await openLiveMemory({ pid: await agentPid(), log }) };
  }

  async function read() {
    opening ??= open();
    const { daemon, agent } = await opening;
    return { daemon: await daemon.read(), agent: await agent.read() };
  }

  return {
    /** How much more each of them refers to after some work than before it. */
    async growth(work: () => Promise<unknown>): Promise<Record<'daemon' | 'agent', Growth>> {
      const before = await read();
      await work();
      const after = await read();
      return { daemon: grown(before.daemon, after.daemon), agent: grown(before.agent, after.agent) };
    },
    async close(): Promise<void> {
      const opened = await opening;
      opened?.daemon.close();
      opened?.agent.close();
    },
  };
}

type Growth = { megabytes: number; note: string };

function grown(before: LiveMemory, after: LiveMemory): Growth {
  const parts = (['heapUsed', 'external', 'arrayBuffers'] as const).map(
    (part) => `${part} ${before[part].toFixed(2)} to ${after[part].toFixed(2)}`,
  );
  const total = ({ heapUsed, external }: LiveMemory) => heapUsed + external;
  return { megabytes: total(after) - total(before), note: `after a forced collection, in MB: ${parts.join(', ')}` };
}

function addressesIn(log: string): string[] {
  return log.match(/ws:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}/g) ?? [];
}
