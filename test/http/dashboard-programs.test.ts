import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { DashboardProgram } from '../../src/contract/own-window.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import { createDashboardWatch } from '../../src/http/peers.ts';

const programAt = (pid: number): CallingProgram => ({
  kind: 'program',
  uid: 1_000,
  pid,
  name: 'browser',
  startedBy: [],
});

/** The watch, over connections whose programs are found when the test says so. */
function watched() {
  const told: [key: string, pids: readonly number[]][] = [];
  const lookUps: ((program: CallingProgram) => void)[] = [];
  const look = () => new Promise<CallingProgram>((resolve) => void lookUps.push(resolve));
  const watch = createDashboardWatch({
    peers: { makerOf: look, holderOf: look },
    find: async (program) => (program.kind === 'unknown' ? undefined : { pids: [program.pid], names: [program.name] }),
    sessions: { shownIn: (key, { pids }: DashboardProgram) => void told.push([key, pids]) },
  });
  return { watch, told, lookUps };
}

test('A20: the key of a session is handed out only when its program is known', async () => {
  const { watch, told, lookUps } = watched();
  let isAnswered = false;
  const answered = watch.began(new Socket(), 'key').then(() => {
    isAnswered = true;
  });
  await Promise.resolve();
  expect([isAnswered, lookUps.length]).toEqual([false, 1]);
  lookUps[0]?.(programAt(7));
  await answered;
  expect(told).toEqual([['key', [7]]]);
});

test('A20: another program that uses the key is told too, and each connection is looked up once', async () => {
  const { watch, told, lookUps } = watched();
  const [first, second] = [new Socket(), new Socket()];
  const began = watch.began(first, 'key');
  for (const socket of [first, second, second]) watch.used(socket, 'key');
  expect(lookUps).toHaveLength(2);
  lookUps[0]?.(programAt(7));
  lookUps[1]?.(programAt(8));
  await began;
  await expect
    .poll(() => told)
    .toEqual([
      ['key', [7]],
      ['key', [8]],
    ]);
});

test('a program that the system does not name tells nothing, and the answer goes out', async () => {
  const { watch, told, lookUps } = watched();
  const began = watch.began(new Socket(), 'key');
  lookUps[0]?.({ kind: 'unknown', because: 'it has ended' });
  await began;
  expect(told).toEqual([]);
});
