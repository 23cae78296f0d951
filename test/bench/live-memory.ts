import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';

const MEGABYTE = 1024 * 1024;

/** The memory in use by a process, in MB. `arrayBuffers` is a part of `external`. */
type LiveMemory = { heapUsed: number; external: number; arrayBuffers: number };

/** A conversation with the inspector of a Node process. */
export async function openInspector(address: string) {
  const socket = new WebSocket(address, { maxPayload: 0 });
  await once(socket, 'open');
  const waiting = new Map<number, (answer: { error?: { message: string }; result?: unknown }) => void>();
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let calls = 0;
  return {
    async call<Result>(method: string, params: object = {}): Promise<Result> {
      calls += 1;
      const id = calls;
      const answered = new Promise<{ error?: { message: string }; result?: unknown }>((resolve) =>
        waiting.set(id, resolve),
      );
      socket.send(JSON.stringify({ id, method, params }));
      const { error, result } = await answered;
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as Result;
    },
    close: () => socket.terminate(),
  };
}

/**
 * Reads the memory of a Node process after a forced collection, when nothing is left but what the process refers to. Resident
 * memory alone cannot tell a leak from garbage that V8 has not collected yet.
 */
export async function openLiveMemory(address: string) {
  const { call, close } = await openInspector(address);
  return {
    async read(): Promise<LiveMemory> {
      // Finalizers of the first collection free what only the second one can collect.
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const expression = 'JSON.stringify(process.memoryUsage())';
      const { result } = await call<{ result: { value: string } }>('Runtime.evaluate', { expression });
      const { heapUsed, external, arrayBuffers } = JSON.parse(result.value);
      const inMegabytes = [heapUsed, external, arrayBuffers].map((bytes) => Number(bytes) / MEGABYTE);
      const [used = Number.NaN, outside = Number.NaN, buffers = Number.NaN] = inMegabytes;
      return { heapUsed: used, external: outside, arrayBuffers: buffers };
    },
    close,
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
      // Where it could not be opened, whoever read has been told.
      const opened = await opening?.catch(() => undefined);
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
