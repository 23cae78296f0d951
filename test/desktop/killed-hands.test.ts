import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSeat } from '../../agent/drivers/linux/input/seat.ts';
import { heldDown } from './held.ts';
import { watchInput } from './input-watcher.ts';
import { shareRig } from './share-rig.ts';

/** `HANDRAIL_KILLS=200` for a long run. */
const KILLS = Number(process.env.HANDRAIL_KILLS ?? 12);
const ACTS = ['text', 'click', 'chord', 'drag'];

const rig = await shareRig();
const watcher = await watchInput(rig);
afterAll(watcher.end);

const down = () => heldDown(rig.ask);

test(`N33: nothing stays down after ${KILLS} kills of an agent in a text, a click, a chord and a drag`, async () => {
  const stuck: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const act = ACTS[kill % ACTS.length] ?? '';
    const agent = spawn(process.execPath, [join(import.meta.dirname, 'acting-agent.ts'), act], {
      env: { ...process.env, ...rig.env },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await once(agent.stdout, 'data');
    // Some way into the act. No verdict depends on how far that is.
    for (let looks = Math.floor(Math.random() * 16); looks > 0; looks -= 1) await down();
    process.kill(-(agent.pid ?? 0), 'SIGKILL');
    await once(agent, 'exit');
    await rig
      .until('nothing is down', async () => (await down()).length === 0)
      .catch(async () => {
        stuck.push(`${act}: ${(await down()).join()}`);
      });
  }
  expect(stuck).toEqual([]);
}, 600_000);

test('N33: a new agent lets go of the keys and buttons that a lost one left down', async () => {
  await rig.ask('xdotool', 'keydown', 'a', 'mousedown', '3');
  expect(await down()).toHaveLength(2);
  const seat = await openSeat(String(rig.env.DISPLAY));
  expect(await down()).toEqual([]);
  await seat.close();
});
