import { afterAll, expect, test } from 'vitest';
import { processesWith } from './processes.ts';
import { startRig } from './rig.ts';

const rig = await startRig({ width: 1280, height: 800 });
afterAll(() => rig.close());

test.for([
  { program: 'xterm', args: ['-T', 'a terminal'], title: 'a terminal' },
  { program: 'mousepad', args: [], title: 'Untitled 1 - Mousepad' },
  { program: 'gnome-calculator', args: [], title: 'Calculator' },
])('the rig opens $program as a process of its own and sees its window', async ({ program, args, title }) => {
  const { app, window } = await rig.open(program, args);
  await rig.until('it has its title', async () => (await rig.windows()).some((each) => each.title === title));
  await rig.until('it is in front', async () => (await rig.activeWindow())?.id === window.id);
  const area = await rig.area(window.id);
  expect(area.width * area.height).toBeGreaterThan(10_000);
  await app.end();
  await rig.until('its window is gone', async () => (await rig.windows()).every((each) => each.id !== window.id));
});

test('the rig sees the pixels of the whole screen', async () => {
  const empty = await rig.pixels();
  const { app } = await rig.open('xterm', ['-bg', 'rgb:12/34/56', '-geometry', '40x10+0+0']);
  const colour = Buffer.from([0x12, 0x34, 0x56, 0x12, 0x34, 0x56, 0x12, 0x34, 0x56]);
  expect(empty.length).toBe(1280 * 800 * 3);
  expect(empty.includes(colour)).toBe(false);
  await rig.until('the terminal is drawn', async () => (await rig.pixels()).includes(colour));
  await app.end();
});

test('programs of the test process itself run on the rig’s desktop, in a fresh home folder', async () => {
  expect(process.env).toMatchObject(rig.env);
  expect(await rig.ask('sh', '-c', 'printf %s "$HOME"')).toBe(rig.env.HOME);
  const programs = processesWith(`DISPLAY=${rig.env.DISPLAY}`).map(({ command }) => command.split(' ')[0]);
  expect(programs).toContain('openbox');
});
