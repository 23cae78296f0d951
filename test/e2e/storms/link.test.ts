import { describe, expect, test } from 'vitest';
import { until } from '../../desktop/processes.ts';
import type { Meddling } from './link-proxy.ts';
import {
  ALL_DONE,
  agentStatus,
  attempts,
  calmSteps,
  layGround,
  ONCE_EACH,
  settleIn,
  startBehindProxy,
  statuses,
  stormSteps,
  submitted,
  taskNow,
  untilEnded,
  untilStep,
} from './rig.ts';

const slow = { delayMs: 700 };

async function start(scenario: Parameters<typeof layGround>[0] = {}) {
  const ground = layGround(scenario);
  const { reach, proxy, agentPids } = await startBehindProxy(ground);
  const { deviceId, person } = await settleIn(reach);
  return { ground, reach, proxy, agentPids, deviceId, person };
}

describe('the link is cut', () => {
  test.each([
    ['before', { quitApp: { beforeEffect: slow } }],
    ['after', { quitApp: { afterEffect: slow } }],
  ])('%s the effect of a once step: the agent comes back with it, and it is done once', async (_, scenario) => {
    const { ground, reach, proxy, agentPids, deviceId } = await start(scenario);
    const task = await submitted(reach, stormSteps(deviceId));
    await untilStep(reach, task, 'quit', 'running');
    proxy.cut();
    const ended = await untilEnded(reach, task);
    expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, ONCE_EACH]);
    expect(ground.ledger('Keyring')).toHaveLength(1);
    expect([proxy.connections(), agentPids.length]).toEqual([2, 1]);
  });

  test('again and again: nothing is lost, and nothing is done twice that may not be', async () => {
    const { ground, reach, proxy, agentPids, deviceId, person } = await start({
      openApp: { beforeEffect: { delayMs: 60 } },
      quitApp: { beforeEffect: { delayMs: 60 }, afterEffect: { delayMs: 60 } },
    });
    let frames = 0;
    proxy.meddle({
      toDaemon(text, pass) {
        frames += 1;
        if (frames % 5 !== 0) return pass(text);
        // Every other time the frame goes through, and the connection is cut behind it.
        if (frames % 10 === 0) pass(text);
        proxy.cut();
      },
    });
    const storm = await submitted(reach, stormSteps(deviceId, { readMs: 200 }));
    const calm = [];
    for (let count = 0; count < 6; count += 1)
      calm.push(await submitted(reach, calmSteps(deviceId, { readMs: 100 * count })));
    for (const task of calm) expect(await untilEnded(reach, task)).toMatchObject({ status: 'success' });
    expect(proxy.connections()).toBeGreaterThan(5);
    const { steps } = await untilEnded(reach, storm);
    expect(steps.find(({ id }) => id === 'quit')).toMatchObject({ attempts: 1 });
    expect(ground.ledger('Keyring').length).toBeLessThanOrEqual(1);
    expect(agentPids).toHaveLength(1);
    expect(await person.verifiedJournal()).toMatchObject({ valid: true });
    const after = await submitted(reach, calmSteps(deviceId));
    expect(await untilEnded(reach, after)).toMatchObject({ status: 'success' });
  });

  test('and stays so beyond the five seconds of grace: the agent is replaced, and only the person can say what a once step did', async () => {
    const { ground, reach, proxy, agentPids, deviceId, person } = await start({
      quitApp: { afterEffect: { delayMs: 60_000 } },
    });
    const task = await submitted(reach, stormSteps(deviceId, { readMs: 8_000 }));
    await untilStep(reach, task, 'quit', 'running');
    await until('it has happened', () => ground.ledger('Keyring').length === 1);
    proxy.refuse(true);
    proxy.cut();
    const doubtful = await untilStep(reach, task, 'quit', 'unknown');
    expect(doubtful).toMatchObject({ status: 'needs_attention' });
    proxy.refuse(false);
    await until(
      'another agent is online',
      async () => agentPids.length === 2 && (await agentStatus(reach)) === 'online',
    );
    await until('the read is sent again', async () => attempts(await taskNow(reach, task)).read === 2);
    await person.resolve(task, 'quit', 'happened');
    const ended = await untilEnded(reach, task);
    expect([ended.status, statuses(ended)]).toEqual(['success', ALL_DONE]);
    expect(attempts(ended)).toEqual({ ...ONCE_EACH, read: 2 });
    expect(ground.ledger('Keyring')).toHaveLength(1);
  }, 90_000);
});

const twice: Meddling = (text, pass) => {
  pass(text);
  pass(text);
};

/** Gathers what comes within some milliseconds and passes it on backwards. */
function backwards(): Meddling {
  const gathered: (() => void)[] = [];
  return (text, pass) => {
    gathered.push(() => pass(text));
    if (gathered.length > 1) return;
    setTimeout(() => {
      for (const one of gathered.splice(0).reverse()) one();
    }, 8);
  };
}

describe('frames', () => {
  test.each([
    ['that come twice', () => ({ toDaemon: twice, toAgent: twice })],
    ['that come in the wrong order', () => ({ toDaemon: backwards(), toAgent: backwards() })],
    [
      'that come twice and in the wrong order',
      () => {
        const [toDaemon, toAgent] = [backwards(), backwards()];
        const both =
          (order: Meddling): Meddling =>
          (text, pass) =>
            twice(text, (again) => order(again, pass));
        return { toDaemon: both(toDaemon), toAgent: both(toAgent) };
      },
    ],
  ])('%s change nothing: every step is done once and every task ends', async (_, meddling) => {
    const { ground, reach, proxy, agentPids, deviceId, person } = await start();
    proxy.meddle(meddling());
    const task = await submitted(reach, stormSteps(deviceId));
    const reads = await submitted(reach, calmSteps(deviceId).slice(1, 2));
    const ended = await untilEnded(reach, task);
    expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, ONCE_EACH]);
    expect(await untilEnded(reach, reads)).toMatchObject({ status: 'success', steps: [{ attempts: 1 }] });
    expect(ground.ledger().map((line) => JSON.parse(line).happened)).toEqual(['activate', 'quit', 'describe']);
    expect(ground.journal()).toContain('agent.violation');
    expect([proxy.connections(), agentPids.length]).toEqual([1, 1]);
    expect(await person.verifiedJournal()).toMatchObject({ valid: true });
  });

  test('of steps that have ended are ignored when they come again, and tasks that have ended stay as they were', async () => {
    const { reach, proxy, deviceId } = await start();
    const first = await untilEnded(reach, await submitted(reach, stormSteps(deviceId)));
    const said = [...proxy.fromAgent()];
    expect(said.length).toBeGreaterThan(8);
    const next = await submitted(reach, calmSteps(deviceId, { readMs: 500 }).slice(1, 2));
    for (const text of said) proxy.say(text);
    expect(await untilEnded(reach, next)).toMatchObject({ status: 'success', steps: [{ attempts: 1 }] });
    expect(await taskNow(reach, first)).toEqual(first);
    expect(proxy.connections()).toBe(1);
  });
});
