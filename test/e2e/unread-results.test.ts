import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { INSPECTABLE, inspectorOf, openLiveMemory } from '../bench/live-memory.ts';
import { get } from '../http/attacks/target.ts';
import { describeScreens, openIdleReaders, processorTimeMs, startReadingLoad } from './reading-load.ts';

/** For a machine with much else to do. */
const PATIENT = { timeout: 180_000 };
/** The unread answers of one user id may take 16 MiB. Resident memory also holds garbage, more on a faster machine: the bench shows it. */
const MOST_MEGABYTES = 32;
/** As much work as the daemon may do while the person waits: without turns it was that of all 200 connections. */
const MOST_RESULTS = 60;
const READS = 40;

test(
  'the person is answered soon while 200 connections ask ten times for a large result and read none',
  PATIENT,
  async () => {
    const load = await startReadingLoad(INSPECTABLE);
    const { daemon } = load;
    const memory = await openLiveMemory(await inspectorOf(daemon));
    try {
      const { key } = await daemon.signIn();
      const headers = { authorization: `Bearer ${key}` };
      const [id] = await describeScreens(load, 1);
      const path = `/api/tee/actions/${id}`;
      const result = await daemon.call<object>(path, { userId: 'ann' });
      expect(JSON.stringify(result.body).length).toBeGreaterThan(200_000);
      const workMs = () => processorTimeMs(daemon.pid);
      const beforeReading = workMs();
      for (let count = 0; count < READS; count += 1) await daemon.call(path, { userId: 'ann' });
      const resultMs = (workMs() - beforeReading) / READS;
      const meanwhileMs: number[] = [];
      const before = await memory.read();
      const request = get({ host: '127.0.0.1', port: daemon.port }, path, { userId: 'ann' });
      const sockets = await openIdleReaders(load, 200, request.repeat(10));
      const endsAtMs = performance.now() + 8_000;
      while (performance.now() < endsAtMs) {
        for (const person of ['/health', '/api/console/confirmations']) {
          const beforeMs = workMs();
          expect((await daemon.call(person, { headers })).status).toBe(200);
          meanwhileMs.push(workMs() - beforeMs);
        }
        await delay(20);
      }
      const after = await memory.read();
      for (const socket of sockets) socket.destroy();
      expect(Math.max(...meanwhileMs)).toBeLessThan(MOST_RESULTS * resultMs);
      expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(MOST_MEGABYTES);
    } finally {
      memory.close();
      await daemon.stop();
    }
  },
);
