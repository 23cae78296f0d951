import { expect, test } from 'vitest';
import type { AccessibilityBus, AccessibleEvent } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { createSettle } from '../../../agent/drivers/linux/input/driver.ts';
import type { X11 } from '../../../agent/drivers/linux/x11.ts';
import { xWindow } from './x-window.ts';

const attempt = { signal: new AbortController().signal, deadlineMs: 30_000 };
const TEXT: AccessibleEvent = { path: '/1', kind: 'Object:TextChanged', detail: 'insert' };
const CARET: AccessibleEvent = { path: '/1', kind: 'Object:BoundsChanged', detail: '' };

/** A desktop with an app in front. Each time that somebody waits for a change, the next of `steps` happens. */
function desktopWith(steps: ('text' | 'window' | 'other')[], isEndless = false) {
  let said: (event: AccessibleEvent) => void = () => undefined;
  let windows = [xWindow({ id: 'w1', pid: 7, focused: true })];
  const waits: string[] = [];
  const x11: Pick<X11, 'desktop' | 'nextChange'> = {
    desktop: async () => ({ ok: true, value: { windows, hasWindowManager: true, revision: 1 } }),
    nextChange: async (_revision, signal) => {
      const step = isEndless ? (steps[waits.length % steps.length] ?? 'text') : steps.shift();
      waits.push(step ?? 'nothing');
      if (step === 'text') said(TEXT);
      if (step === 'other') said(CARET);
      if (step === 'window') windows = [xWindow({ id: `w${waits.length + 1}`, pid: 7, focused: true }), ...windows];
      if (step === undefined || step === 'other') await whenAborted(signal);
      else if (isEndless) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  const bus: Pick<AccessibilityBus, 'apps' | 'hear'> = {
    apps: async () => [{ root: { bus: ':1.1', path: '/app' }, pid: 7, toolkit: 'Chromium' }],
    hear: async (_app, heard) => {
      said = heard;
      return () => waits.push('ended');
    },
  };
  return { settle: createSettle({ x11: x11 as X11, bus: bus as AccessibilityBus }), waits };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

test('what changes the page or the windows is waited for, and then a moment without a change', async () => {
  const { settle, waits } = desktopWith(['text', 'window', 'text', 'other']);
  expect(await settle({ withinMs: 20_000 }, attempt)).toBe(true);
  expect(waits.slice(0, 4)).toEqual(['text', 'window', 'text', 'other']);
  expect(waits.at(-1)).toBe('ended');
});

test.each(['text', 'window'] as const)('what never comes to rest is told as not settled: %s', async (step) => {
  const { settle, waits } = desktopWith([step], true);
  expect(await settle({ withinMs: 250 }, attempt)).toBe(false);
  expect(waits.at(-1)).toBe('ended');
});

test('a stopped attempt does not wait', async () => {
  const { settle } = desktopWith([]);
  expect(await settle({ withinMs: 20_000 }, { ...attempt, signal: AbortSignal.abort() })).toBe(false);
});
