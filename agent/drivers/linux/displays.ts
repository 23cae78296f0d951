import type { Display } from '../../../src/contract/device.ts';
import type { XLayout } from './x-monitors.ts';
import type { X11 } from './x11.ts';

/**
 * The displays of the X server; an empty list when there is none, or none that can be reached. Bounds are in pixels of the
 * root window, so `scale` is 1. The id is the name of the output, such as `HDMI-1`.
 */
export async function readDisplays(x11: X11): Promise<Display[]> {
  const answer = await x11.layout();
  return answer.ok ? displaysOf(answer.value) : [];
}

export function displaysOf(layout: XLayout): Display[] {
  return layout.monitors.map(({ name, bounds }, index) => {
    const id = name ?? `display-${index + 1}`;
    return { id, name: id, primary: index === 0, bounds: { ...bounds }, scale: 1 };
  });
}
