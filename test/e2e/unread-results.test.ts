import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { INSPECTABLE, openLiveMemory } from '../bench/live-memory.ts';
import { get } from '../http/attacks/target.ts';
import { describeScreens, openIdleReaders, startReadingLoad } from './reading-load.ts';

/** For a machine with much else to do. */
const PATIENT = { timeout: 120_000 };
/** The unread answers of one user id may take 16 MiB. Resident memory also holds garbage, more on a faster machine: the bench shows it. */
const MOST_MEGABYTES = 32;
/** Without turns the longest wait was 6 s. */
const MOST_MS = 2_000;

test(
  'the person is answered soon while 200 connections ask ten times for a large result and read none',
  PATIENT,
  async () => {
    const load = await startReadingLoad(INSPECTABLE);
    const { daemon } = load;
    const memory = await openLiveMemory(daemon);
    try {
      const { key } = await daemon.signIn();
      const headers = { authorization: `Bearer ${key}` };
      const [id] = await describeScreens(load, 1);
      const path = `/api/tee/actions/${id}`;
      const result = await daemon.call<object>(path, { userId: 'ann' });
      expect(JSON.stringify(result.body).length).toBeGreaterThan(200_000);
      const tookMs: number[] = [];
      const before = await memory.read();
      const request = get({ host: '127.0.0.1', port: daemon.port }, path, { userId: 'ann' });
      const sockets = await openIdleReaders(load, 200, request.repeat(10));
      const endsAtMs = performance.now() + 8_000;
      while (performance.now() < endsAtMs) {
        for (const person of ['/health', '/api/console/confirmations']) {
          const askedAtMs = performance.now();
          expect((await daemon.call(person, { headers })).status).toBe(200);
          tookMs.push(performance.now() - askedAtMs);
        }
        await delay(20);
      }
      const after = await memory.read();
      for (const socket of sockets) socket.destroy();
      expect(Math.max(...tookMs)).toBeLessThan(MOST_MS);
      expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(MOST_MEGABYTES);
    } finally {
      memory.close();
      await daemon.stop();
    }
  },
);
