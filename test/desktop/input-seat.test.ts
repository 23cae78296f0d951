import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createKeyFinder, KEYSYMS } from '../../agent/drivers/linux/input/keyboard.ts';
import { openSeat } from '../../agent/drivers/linux/input/seat.ts';
import { globalPoint } from '../../src/contract/picture-frames.ts';
import { watchInput } from './input-watcher.ts';
import { shareRig } from './share-rig.ts';

const rig = await shareRig();
const seat = await openSeat(String(rig.env.DISPLAY));
const watcher = await watchInput(rig);
afterAll(async () => {
  watcher.end();
  await seat.close();
});

const click = (button: number) => [true, false].map((isDown) => ({ kind: 'button', button, isDown }) as const);

/** What the server says is down on the devices of XTEST, by another program. */
async function down(): Promise<string[]> {
  const states = await Promise.all(
    ['Virtual core XTEST keyboard', 'Virtual core XTEST pointer'].map((name) => rig.ask('xinput', 'query-state', name)),
  );
  return states.flatMap((state) => state.match(/(?:key|button)\[\d+\]=down/g) ?? []);
}

test('200 random pixels of scaled pictures and regions are hit, each at the right point of the desktop', async () => {
  const random = (most: number) => Math.floor(Math.random() * most);
  const wanted = Array.from({ length: 200 }, () => {
    const width = 100 + random(1_820);
    const height = 100 + random(980);
    const source = { x: random(1_920 - width), y: random(1_080 - height), width, height };
    const image = { width: 50 + random(2_000), height: 50 + random(2_000) };
    const pixel = { x: random(image.width), y: random(image.height) };
    return { source, image, pixel, point: globalPoint({ source, image }, pixel) ?? { x: -1, y: -1 } };
  });
  for (const { point } of wanted)
    await seat.send([{ kind: 'motion', x: Math.floor(point.x), y: Math.floor(point.y) }, ...click(1)]);
  const presses = (await watcher.seen()).filter(({ name }) => name === 'ButtonPress');
  expect(presses).toHaveLength(200);
  const off = wanted.filter(({ source, image, pixel }, index) => {
    const hit = presses[index] ?? { x: -1, y: -1 };
    const exact = source.x + ((pixel.x + 0.5) * source.width) / image.width;
    const exactDown = source.y + ((pixel.y + 0.5) * source.height) / image.height;
    return Math.abs(hit.x + 0.5 - exact) > 0.5 || Math.abs(hit.y + 0.5 - exactDown) > 0.5;
  });
  expect(off).toEqual([]);
});

test('keys and buttons that a lost program held are let go, though it was killed', async () => {
  const shift = createKeyFinder(await seat.layout()).ofSymbol(KEYSYMS.shift)?.keycode;
  const agent = spawn(process.execPath, [join(import.meta.dirname, 'holding-agent.ts'), String(shift)], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await saysSo(agent);
  expect(await down()).toHaveLength(2);
  agent.kill('SIGKILL');
  await rig.until('nothing is down', async () => (await down()).length === 0);
});

async function saysSo(agent: ChildProcess): Promise<void> {
  if (agent.stdout !== null) await once(agent.stdout, 'data');
}

test('what was held is let go on request, and nothing else is', async () => {
  await seat.send([{ kind: 'button', button: 3, isDown: true }]);
  expect(await down()).toEqual(['button[3]=down']);
  await seat.releaseAll();
  expect(await down()).toEqual([]);
});

test("input of the person's own mouse is noticed at once, and input by XTEST is not", async () => {
  const person = seat.person;
  if (person === null) throw new Error('the server has no extension of input devices');
  let noticed = 0;
  const end = person.begin(() => {
    noticed += 1;
  });
  await seat.send([{ kind: 'motion', x: 5, y: 5 }, ...click(1)]);
  await rig.ask('xdotool', 'mousemove', '7', '7');
  expect(noticed).toBe(0);
  const startedAtMs = performance.now();
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'person-device.ts')], {
    env: { ...process.env, ...rig.env },
  });
  await rig.until('the person is noticed', () => noticed > 0);
  const idleMs = await person.idleMs();
  // Of nothing before: the server counts from what the person did just now.
  expect(idleMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAtMs));
  end();
});
