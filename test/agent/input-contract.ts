import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputDriver } from '../../agent/drivers/input.ts';
import { unhurried } from './unhurried.ts';

/** The facts that the suite needs about the desktop an input driver is pointed at. */
export type InputHarness = {
  input: InputDriver;
  /** Everything the desktop has seen of pointer and keys, and forgets it: `press left at 3,4` and the like. */
  seen(): Promise<string[]>;
  /** The keys and buttons that are down now. */
  down(): Promise<string[]>;
  /** Resolves when something is down. */
  untilHeld(): Promise<void>;
  /** The person uses the mouse. */
  touchByPerson(): Promise<void>;
  /** Gives the keyboard to a text field, or to one for a password. */
  focus(kind: 'text' | 'password'): Promise<void>;
  /** What stands in the text field. */
  field(): Promise<string>;
  /** The id and the title of a window that can be moved, minimized and closed. */
  showWindow(): Promise<{ id: string; title: string }>;
  dispose(): Promise<void>;
};

/** The duties of an input driver, the same for the fake and for every real desktop. Tests run in order on one desktop. */
export function describeInput(name: string, make: () => Promise<InputHarness>): void {
  describe(`the ${name} input driver`, () => {
    let made: InputHarness | undefined;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(async () => {
      await made?.input.close();
      await made?.dispose();
    });
    const harness = () => {
      if (made === undefined) throw new Error('the harness is made in beforeAll');
      return made;
    };
    pointerDuties(harness);
    stoppingDuties(harness);
    keyDuties(harness);
    typingDuties(harness);
    windowDuties(harness);
    otherDuties(harness);
  });
}

type Shared = () => InputHarness;

function pointerDuties(harness: Shared): void {
  test('clicks where it is told, as often as it is told', async () => {
    await harness().seen();
    const outcome = await harness().input.click({ at: { x: 40.9, y: 50.2 }, count: 2 }, unhurried());
    expect(outcome).toMatchObject({ ok: true, delivered: 'yes', safeToRepeat: false });
    const presses = (await harness().seen()).filter((line) => line.startsWith('press'));
    expect(presses).toEqual(['press left at 40,50', 'press left at 40,50']);
  });

  test('drags from the first point to the last and lets go there', async () => {
    const path = [
      { x: 100, y: 100 },
      { x: 160, y: 130 },
      { x: 200, y: 90 },
    ];
    expect(await harness().input.drag({ path }, unhurried())).toMatchObject({ ok: true, delivered: 'yes' });
    const seen = await harness().seen();
    expect(seen.filter((line) => line.startsWith('press'))).toEqual(['press left at 100,100']);
    expect(seen).toContain('move to 200,90');
    expect(await harness().down()).toEqual([]);
  });

  test.each([
    { x: -1, y: 5 },
    { x: 5, y: 100_000 },
    { x: Number.NaN, y: 5 },
  ])('refuses the point %o, which no display shows, and does nothing', async (at) => {
    const { input, seen } = harness();
    await seen();
    const refusal = {
      ok: false,
      code: 'coordinates_off_screen',
      delivered: 'no',
      safeToRepeat: true,
      sideEffect: 'none',
    };
    expect(await input.click({ at }, unhurried())).toMatchObject(refusal);
    expect(await input.movePointer({ to: at }, unhurried())).toMatchObject(refusal);
    expect(await seen()).toEqual([]);
  });
}

function stoppingDuties(harness: Shared): void {
  test('an attempt that is cancelled before it begins does nothing, and may be repeated', async () => {
    const { input, seen } = harness();
    const attempt = { signal: AbortSignal.abort('requested'), deadlineMs: 1_000 };
    const outcome = await input.click({ at: { x: 5, y: 5 } }, attempt);
    expect(outcome).toMatchObject({ ok: false, delivered: 'no', safeToRepeat: true, sideEffect: 'none' });
    expect(await seen()).toEqual([]);
  });

  test.each(['requested', 'timeout', 'shutdown'])('a drag that is stopped (%s) leaves nothing down', async (reason) => {
    const controller = new AbortController();
    const dragging = harness().input.drag({ path: longPath }, { signal: controller.signal, deadlineMs: 20_000 });
    await harness().untilHeld();
    controller.abort(reason);
    expect(await dragging).toMatchObject({ ok: false, delivered: 'yes', safeToRepeat: false, sideEffect: 'done' });
    expect(await harness().down()).toEqual([]);
    await harness().seen();
  });

  test("the person's own hand ends a drag and a held chord, says how far it came, and leaves nothing down", async () => {
    const { input, untilHeld, touchByPerson, down } = harness();
    const attempts = [
      () => input.drag({ path: longPath }, unhurried()),
      () => input.pressKeys({ keys: 'ctrl+shift+f9', holdMs: 8_000 }, unhurried()),
    ];
    const outcomes = [];
    for (const attempt of attempts) {
      const running = attempt();
      await untilHeld();
      await touchByPerson();
      outcomes.push(await running);
      expect(await down()).toEqual([]);
    }
    const interrupted = {
      ok: false,
      code: 'interrupted_by_person',
      message: expect.stringContaining('The person used'),
    };
    expect(outcomes).toMatchObject([interrupted, interrupted]);
  });
}

function keyDuties(harness: Shared): void {
  test.each(['', 'ctrl+', 'hyper+a', 'ctrl+ab'])('refuses the keys %j with what was expected', async (keys) => {
    const outcome = await harness().input.pressKeys({ keys }, unhurried());
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', delivered: 'no', safeToRepeat: true });
    expect(outcome.ok ? '' : outcome.message).toMatch(/^Expected /);
  });
}

function typingDuties(harness: Shared): void {
  test('types a text exactly, and reads it back', async () => {
    const { input, focus, field } = harness();
    await focus('text');
    const text = 'Grüße 日本語 👩‍👩‍👧 مرحبا {~^|}';
    expect(await input.typeText({ text, clear: true }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
    expect(await field()).toBe(text);
    expect(await input.typeText({ text: 'aZ9!' }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
    expect(await field()).toBe(`${text}aZ9!`);
  });

  test.each(['a\nb', 'a\tb', 'a\u0007b', 'a\u2028b', 'a\ud800'])(
    'refuses %j, and types nothing of it',
    async (text) => {
      const before = await harness().field();
      const outcome = await harness().input.typeText({ text }, unhurried());
      expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', delivered: 'no', safeToRepeat: true });
      expect(await harness().field()).toBe(before);
    },
  );

  test('types nothing into a password field', async () => {
    await harness().focus('password');
    const outcome = await harness().input.typeText({ text: 'secret' }, unhurried());
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', delivered: 'no' });
  });
}

function windowDuties(harness: Shared): void {
  test('focuses, moves, minimizes and closes a window, and proves it in the list', async () => {
    const { input, showWindow } = harness();
    const { id: windowId } = await showWindow();
    const bounds = { x: 120, y: 90, width: 500, height: 400 };
    const confirmed = { ok: true, effect: 'confirmed', delivered: 'yes' };
    expect(await input.focusWindow({ windowId }, unhurried())).toMatchObject(confirmed);
    expect(await input.moveWindow({ windowId, bounds }, unhurried())).toMatchObject(confirmed);
    expect(await input.minimizeWindow({ windowId }, unhurried())).toMatchObject(confirmed);
    expect(await input.closeWindow({ windowId }, unhurried())).toMatchObject({ ok: true, delivered: 'yes' });
    expect(await input.closeWindow({ windowId: '0x00000001' }, unhurried())).toMatchObject({
      code: 'target_gone',
      delivered: 'no',
    });
  });

  test('the places of windows are those of the list', async () => {
    const { input, showWindow } = harness();
    await showWindow();
    const listed = await input.listWindows(unhurried());
    const places = (listed.ok ? listed.data.windows : []).map(({ id, pid, bounds, onScreen, zIndex }) => ({
      id,
      pid,
      bounds,
      onScreen,
      zIndex,
    }));
    expect(places.length).toBeGreaterThan(0);
    expect(await input.windowPlaces(unhurried())).toMatchObject(places);
  });

  test('waits for a window that comes, and no longer than its time', async () => {
    const { input, showWindow } = harness();
    const { title } = await showWindow();
    expect(await input.waitFor({ windowTitle: title }, unhurried())).toMatchObject({ ok: true, effect: 'none' });
    const hurried = { ...unhurried(), deadlineMs: 300 };
    expect(await input.waitFor({ windowTitle: 'No such title' }, hurried)).toMatchObject({
      ok: false,
      code: 'timeout',
    });
    expect(await input.waitFor({}, unhurried())).toMatchObject({ ok: false, code: 'invalid_target' });
  });

  test('says that a desktop at rest has settled', async () => {
    const { input } = harness();
    expect(await input.settle({ withinMs: 20_000 }, unhurried())).toBe(true);
  });
}

function otherDuties(harness: Shared): void {
  test('what is written to the clipboard is read from it', async () => {
    const text = 'kopiert ✓ 日本';
    expect(await harness().input.writeClipboard({ text }, unhurried())).toMatchObject({
      ok: true,
      effect: 'confirmed',
    });
    expect(await harness().input.readClipboard(unhurried())).toMatchObject({ ok: true, data: { text } });
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--version'])('does not open %s', async (url) => {
    const outcome = await harness().input.openUrl({ url }, unhurried());
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', delivered: 'no' });
  });
}

const longPath = Array.from({ length: 200 }, (_, index) => ({ x: 100 + index, y: 100 + (index % 7) }));
