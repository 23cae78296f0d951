import { setTimeout as pause } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { until } from '../../desktop/processes.ts';
import {
  ALL_DONE,
  attempts,
  layGround,
  ONCE_EACH,
  settleIn,
  startOn,
  statuses,
  stormSteps,
  submitted,
  taskNow,
  untilEnded,
  untilStep,
} from './rig.ts';

async function start({ onTestFinished }: TestContext, afterQuitMs: number) {
  const ground = layGround({ quitApp: { afterEffect: { delayMs: afterQuitMs } } }, onTestFinished);
  const daemon = await startOn(ground);
  const { deviceId, person } = await settleIn(daemon);
  const agentPid = await daemon.agentPid();
  const task = await submitted(daemon, stormSteps(deviceId, { readMs: 6_000 }));
  await until('the once step has had its effect', () => ground.ledger('Keyring').length === 1);
  return { ground, daemon, person, agentPid, task };
}

/*
 * The limits these cross, or stay within: each end pings every 10 s and counts the other as dead after 25 s of silence; a dead
 * link has 5 s of grace; then the agent is replaced. Longer than those 30 s, a stop is the same however long it lasts.
 */

test.concurrent('an agent that stands still for three seconds goes on where it was', async (context) => {
  const { ground, daemon, agentPid, task } = await start(context, 500);
  process.kill(agentPid, 'SIGSTOP');
  await pause(3_000);
  expect((await taskNow(daemon, task)).steps.find(({ id }) => id === 'quit')?.status).toBe('running');
  process.kill(agentPid, 'SIGCONT');
  const ended = await untilEnded(daemon, task);
  expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, ONCE_EACH]);
  expect(ground.ledger('Keyring')).toHaveLength(1);
  expect(await daemon.agentPid()).toBe(agentPid);
}, 120_000);

test.concurrent('an agent that stands still beyond all limits is replaced: reads are sent again, and only the person can say what a once step did', async (context) => {
  const { ground, daemon, person, agentPid, task } = await start(context, 500);
  const stoppedAtMs = performance.now();
  process.kill(agentPid, 'SIGSTOP');
  const doubtful = await untilStep(daemon, task, 'quit', 'unknown');
  const tookMs = performance.now() - stoppedAtMs;
  expect(tookMs).toBeGreaterThan(20_000);
  expect(doubtful.status).toBe('needs_attention');
  await until('another agent is there', async () => (await daemon.agentPid()) !== agentPid);
  await untilStep(daemon, task, 'read', 'success');
  expect(statuses(await taskNow(daemon, task))).toMatchObject({ quit: 'unknown', look: 'pending', last: 'pending' });
  await person.resolve(task, 'quit', 'happened');
  const ended = await untilEnded(daemon, task);
  expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, { ...ONCE_EACH, read: 2 }]);
  expect(ground.ledger('Keyring')).toHaveLength(1);
  expect(await person.verifiedJournal()).toMatchObject({ valid: true });
}, 120_000);

test.concurrent('a daemon that stands still beyond all limits wakes up to an agent that kept what it had done', async (context) => {
  const { ground, daemon, person, agentPid, task } = await start(context, 2_000);
  daemon.kill('SIGSTOP');
  await pause(32_000);
  daemon.kill('SIGCONT');
  const ended = await untilEnded(daemon, task);
  expect([ended.status, statuses(ended)]).toEqual(['success', ALL_DONE]);
  // What it sends at once goes into a connection that is dead already, and is sent again on the next.
  expect(attempts(ended)).toMatchObject({ open: 1, read: 1, quit: 1 });
  expect(ground.ledger('Keyring')).toHaveLength(1);
  expect(await daemon.agentPid()).toBe(agentPid);
  expect(await person.verifiedJournal()).toMatchObject({ valid: true });
}, 120_000);
