import { expect, test } from 'vitest';
import type { FakeElement } from './fake-mac.ts';
import { application } from './office.ts';
import { createMacRig, done, type MacRig, unhurried } from './rig.ts';

type Size = { width: number; height: number };

/** Starts an app with one window. */
function show(
  rig: MacRig,
  name: string,
  { size = { width: 400, height: 300 }, title = name, children = [] as FakeElement[] },
) {
  const bounds = { x: 50, y: 50, ...size };
  const window = {
    title,
    bounds,
    element: { role: 'AXWindow', title, bounds, children },
    recognized: [{ text: 'NEW GAME', confidence: 1, box: { x: 0, y: 0, width: 1, height: 1 } }],
  };
  const app = application(`/Applications/${name}.app`, `org.example.${name}`, { window });
  rig.mac.installed.push(app);
  rig.mac.launch(app);
}

const described = async (rig: MacRig) => done(await rig.driver.describeScreen({ contents: true }, unhurried));

test.each<[Size, number]>([
  [{ width: 40, height: 40 }, 1],
  [{ width: 39, height: 40 }, 0],
  [{ width: 40, height: 39 }, 0],
])('of a window of %j that its app does not describe, %d texts are read from a picture', async (size, count) => {
  const rig = createMacRig();
  show(rig, 'Game', { size });
  expect((await described(rig)).data.text).toHaveLength(count);
});

test('five actions of an element are told', async () => {
  const rig = createMacRig();
  const actions = ['AXPress', 'AXShowMenu', 'AXPick', 'AXCancel', 'AXConfirm', 'AXRaise'];
  show(rig, 'Trial', { children: [{ role: 'AXButton', title: 'Go', actions }] });
  const { data } = await described(rig);
  expect(data.elements.find(({ name }) => name === 'Go')?.actions).toEqual([
    'press',
    'showMenu',
    'pick',
    'cancel',
    'confirm',
  ]);
});

test('the apps are asked for 1,500 elements where the caller names no number', async () => {
  const rig = createMacRig();
  await described(rig);
  const requests = rig.programs.started.flatMap(({ args }) =>
    args.some((arg) => arg.endsWith('/accessibility.js')) ? JSON.parse(args.at(-1) ?? '') : [],
  );
  expect(requests).toMatchObject([{ maxElements: 1_500 }]);
});

test('what a script prints may have 32 MiB', async () => {
  const rig = createMacRig();
  await described(rig);
  const scripts = rig.programs.started.filter(({ program }) => program.endsWith('/osascript'));
  expect(new Set(scripts.map(({ maxOutputBytes }) => maxOutputBytes))).toEqual(new Set([33_554_432]));
});

test('what is told in words has 10,000 characters at most', async () => {
  const rig = createMacRig();
  for (let index = 0; index < 9; index += 1) show(rig, `Trial${index}`, { title: 't'.repeat(3_000) });
  expect((await described(rig)).details).toHaveLength(10_000);
});
