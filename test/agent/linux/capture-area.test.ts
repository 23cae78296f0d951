import { expect, test } from 'vitest';
import { captureAreaOf } from '../../../agent/drivers/linux/screenshot.ts';
import type { XWindow } from '../../../agent/drivers/linux/x-window.ts';

/** A small display left of and above the primary one, so that coordinates on it are negative. */
const layout = {
  width: 2_720,
  height: 1_080,
  depth: 24,
  monitors: [
    { name: 'HDMI-1', bounds: { x: 0, y: 0, width: 1_920, height: 1_080 } },
    { name: 'DP-2', bounds: { x: -800, y: -200, width: 800, height: 600 } },
  ],
};

const bounds = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

function areaOf(parameters: Parameters<typeof captureAreaOf>[0], window?: XWindow) {
  return captureAreaOf(parameters, { layout, window });
}

test('without parameters it is the primary display, with a name that display', () => {
  expect([areaOf({}), areaOf({ display: 'DP-2' })]).toEqual([
    expect.objectContaining({ ok: true, bounds: bounds(0, 0, 1_920, 1_080), what: 'the display HDMI-1' }),
    expect.objectContaining({ ok: true, bounds: bounds(-800, -200, 800, 600), what: 'the display DP-2' }),
  ]);
});

test.each([
  bounds(-800, -200, 10, 10),
  bounds(-50, 10, 100, 20),
  bounds(-800, -200, 2_720, 1_280),
  bounds(-10, 395, 20, 600),
])('a region at $x,$y may be negative, cross displays and places that no display shows', (region) => {
  expect(areaOf({ region })).toMatchObject({ ok: true, bounds: region });
});

test.each([
  ['beyond all displays', bounds(1_920, 0, 10, 10)],
  ['where no display is, though between them', bounds(-800, 500, 100, 100)],
  ['partly beyond', bounds(-801, 0, 10, 10)],
  ['around them all', bounds(-801, -201, 2_722, 1_282)],
])('a region %s is off the screen', (_where, region) => {
  expect(areaOf({ region })).toMatchObject({ ok: false, code: 'coordinates_off_screen', sideEffect: 'none' });
});

test('a region of a named display has to be on that one', () => {
  const region = bounds(-10, 0, 20, 20);
  expect(areaOf({ region, display: 'DP-2' })).toMatchObject({ ok: false, code: 'coordinates_off_screen' });
  expect(areaOf({ region: bounds(-30, 0, 20, 20), display: 'DP-2' })).toMatchObject({ ok: true });
});

test('a display that is not there is refused with those that are', () => {
  expect(areaOf({ display: 'eDP-1' })).toEqual({
    ok: false,
    code: 'invalid_target',
    message: 'Expected the id of a display, got "eDP-1". There are: HDMI-1, DP-2.',
    sideEffect: 'none',
  });
});
