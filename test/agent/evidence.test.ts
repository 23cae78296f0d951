import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { SightedElement } from '../../agent/drivers/input.ts';
import { resultMessageOf } from '../../agent/result-message.ts';
import type { Bounds } from '../../src/contract/device.ts';
import { PICTURE_PLACE } from '../../src/contract/link.ts';
import type { ResolvedTargets, Target } from '../../src/contract/targets.ts';
import { performBy } from './perform-by.ts';

const REGION = { x: 0, y: 0, width: 480, height: 300 };
const ELEMENT = { kind: 'element', elementId: 'window-1/0' } as const;

/** At once: how long a real one takes depends on the load. */
const PICTURE = { mediaType: 'image/jpeg', width: 1, height: 1, bytes: Buffer.of(0xff, 0xd8) } as const;
const TAKEN = { ok: true, details: 'A picture.', effect: 'none', data: {}, images: [PICTURE] } as const;
const atOnce = async () => TAKEN as unknown as Awaited<ReturnType<Driver['takeScreenshot']>>;

/**
 * Clicks on an element with pictures before and after, and tells in which order the driver was called. `met` is what the last look
 * finds otherwise than the first.
 */
async function click(take: Driver['takeScreenshot'] = atOnce, met: Partial<SightedElement> = {}) {
  const fake = createFakeDriver();
  const order: string[] = [];
  const input = fake.input();
  const driver: Driver = Object.assign(Object.create(fake), {
    takeScreenshot: async (...work: Parameters<Driver['takeScreenshot']>) => {
      const taken = await take(...work);
      order.push('picture');
      return taken;
    },
    input: () => ({
      ...input,
      sight: async (...asked: Parameters<typeof input.sight>) => {
        order.push('look');
        const found = await input.sight(...asked);
        if (!found.ok || found.data.element === null || !order.includes('picture')) return found;
        return { ...found, data: { ...found.data, element: { ...found.data.element, ...met } } };
      },
      settle: async (...asked: Parameters<typeof input.settle>) => {
        order.push('settle');
        return input.settle(...asked);
      },
      click: async (...[wish, attempt]: Parameters<typeof input.click>) => {
        const lastLook = async () => {
          const objection = (await attempt.lastLook?.()) ?? null;
          order.push('click');
          return objection;
        };
        return input.click(wish, { ...attempt, lastLook });
      },
    }),
  });
  const perform = <Data>(actionType: string, parameters: unknown, targets: Target[] = []) =>
    performBy<Data>(driver, actionType, parameters, { targets, evidence: { region: REGION } });
  const found = await perform<ResolvedTargets>('ResolveTargets', { references: [ELEMENT] });
  const target = found.ok ? found.data.targets[0] : undefined;
  order.length = 0;
  const outcome = await perform('Click', { elementId: ELEMENT.elementId }, [target as Target]);
  return { outcome, order };
}

test('the picture is taken before the last look at the target and the effect; the answer, after which the daemon asks for the other, waits for the screen to rest', async () => {
  const { outcome, order } = await click();
  expect(order).toEqual(['picture', 'look', 'click', 'settle']);
  expect(outcome).toMatchObject({ ok: true, images: [{ role: 'before' }] });
});

test('the result says that the picture is for the person alone', async () => {
  const { outcome } = await click();
  const { result } = JSON.parse(resultMessageOf({ actionId: 'act_1', attempt: 1 }, outcome).text);
  expect(result.attachments).toMatchObject([{ mediaType: 'image/jpeg', role: 'before' }]);
});

test.each([
  ['that it meets another element is kept', { name: 'Delete' }, [{ role: 'before' }]],
  ['that it meets a password field is not kept', { isPassword: true }, undefined],
])('N10: of a click that fails, the picture which shows %s', async (_what, met, images) => {
  const { outcome, order } = await click(atOnce, met);
  expect(order).toEqual(['picture', 'look', 'click']);
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed' });
  expect(outcome.images?.map(({ role }) => ({ role }))).toEqual(images);
  const { text, frames } = resultMessageOf({ actionId: 'act_1', attempt: 1 }, outcome);
  const { data } = JSON.parse(text).error;
  expect(data.attachments?.map(({ role }: { role: string }) => ({ role }))).toEqual(images);
  expect(frames).toHaveLength(images?.length ?? 0);
  expect(data).not.toHaveProperty('isPrivate');
});

test('a failure is sent without a picture that is too large', () => {
  const bytes = new Uint8Array(20 * 1024 * 1024 + 1);
  const failed = { ok: false, code: 'target_changed', message: 'Moved.', sideEffect: 'none' } as const;
  const { text, frames } = resultMessageOf(
    { actionId: 'act_1', attempt: 1 },
    { ...failed, images: [{ ...PICTURE, bytes }] },
  );
  expect(JSON.parse(text).error.data).toEqual({ code: 'target_changed', sideEffect: 'none' });
  expect(frames).toEqual([]);
});

test.each([
  ['fails', async () => ({ ok: false, code: 'internal_error', message: 'No.', sideEffect: 'none' }) as const],
  ['breaks', () => Promise.reject(new Error('no screen'))],
])('a picture that %s leaves the click as it is', async (_how, take) => {
  const { outcome } = await click(take);
  expect(outcome).toMatchObject({ ok: true, data: { delivered: 'yes' }, images: [] });
});

const blankAt = (...blank: readonly Bounds[]): Driver['takeScreenshot'] =>
  async function take({ region }) {
    const isBlank = blank.some((each) => isDeepStrictEqual(each, region));
    const pixels = Buffer.alloc(16 * 16 * 3, 250).fill(isBlank ? 250 : 30, 0, 24);
    const bytes = await sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const taken = { ...TAKEN, details: JSON.stringify(region), images: [{ ...PICTURE, bytes }] };
    return taken as unknown as Awaited<ReturnType<Driver['takeScreenshot']>>;
  };
const WHOLE = { x: 0, y: 0, width: 800, height: 600 };

test.each([
  ['the place', [], { region: REGION, whole: WHOLE }, { of: REGION, count: 1 }],
  ['the window where the place is blank', [REGION], { region: REGION, whole: WHOLE }, { of: WHOLE, count: 1 }],
  ['nothing where the window is blank too', [REGION, WHOLE], { region: REGION, whole: WHOLE }, { of: WHOLE, count: 0 }],
  ['nothing where the place is blank and is the window', [REGION], { region: REGION }, { of: REGION, count: 0 }],
])('a picture for the person shows %s', async (_what, blank, parameters, shown) => {
  const driver: Driver = Object.assign(Object.create(createFakeDriver()), { takeScreenshot: blankAt(...blank) });
  const outcome = await performBy(driver, PICTURE_PLACE, parameters);
  expect(outcome).toMatchObject({ ok: true, details: JSON.stringify(shown.of) });
  expect(outcome.images).toHaveLength(shown.count);
});
