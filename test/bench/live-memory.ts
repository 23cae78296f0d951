import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';

const MEGABYTE = 1024 * 1024;

/** The memory in use by a process, in MB. `arrayBuffers` is a part of `external`. */
type LiveMemory = { heapUsed: number; external: number; arrayBuffers: number };

/**
 * Reads the memory of a Node process after a forced collection, when nothing is left but what the process refers to. Resident
 * memory alone cannot tell a leak from garbage that V8 has not collected yet.
 */
export async function openLiveMemory(address: string) {
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

/** The environment of a daemon that opens its inspector, and that of each of its agents. */
export const INSPECTABLE = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'inspectable.cjs'))}`,
};

type Inspected = Pick<RunningDaemon, 'log' | 'agentPid'>;

/** The address of the inspector of a daemon that was started with `INSPECTABLE`. */
export function inspectorOf({ log }: Pick<Inspected, 'log'>): Promise<string> {
  return until('the daemon opens its inspector', async () => addressesIn(log())[0]);
}

/** The same of its agent. */
export async function inspectorOfAgent({ log, agentPid }: Inspected): Promise<string> {
  await agentPid();
  return until('the agent opens its inspector', async () => addressesIn(log()).slice(1).at(-1));
}

export type LiveMemories = ReturnType<typeof createLiveMemories>;

/** The same of a daemon and of its agent. Nothing is opened before the first reading. */
export function createLiveMemories(daemon: Inspected) {
  let opening: ReturnType<typeof open> | undefined;
  async function open() {
    const [own, ofAgent] = [await inspectorOf(daemon), await inspectorOfAgent(daemon)];
    return { daemon: await openLiveMemory(own), agent: await openLiveMemory(ofAgent) };
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
