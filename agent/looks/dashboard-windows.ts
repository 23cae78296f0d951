import type { Bounds } from '../../src/contract/device.ts';
import type { ScreenWindow } from '../../src/contract/screen.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import type { Drawing } from '../drivers/pictures/drawn-marks.ts';

/** The parts of the screen where windows of programs with a signed-in dashboard are seen. */
export async function dashboardParts(driver: Driver, attempt: Attempt): Promise<Bounds[] | Failed> {
  const { dashboards } = attempt;
  if (dashboards === undefined) return [];
  const listed = await driver.input().listWindows(attempt);
  if (!listed.ok) return listed;
  const shown = listed.data.windows
    .filter(({ onScreen }) => onScreen)
    .toSorted((one, other) => one.zIndex - other.zIndex);
  return shown.flatMap((window, index) =>
    isOf(window, dashboards) ? shown.slice(0, index).reduce(without, [window.bounds]) : [],
  );
}

function isOf({ pid, app }: ScreenWindow, { pids, apps }: NonNullable<Attempt['dashboards']>): boolean {
  const name = app.toLowerCase();
  return (pid !== null && pids.includes(pid)) || apps.some((each) => name.includes(each.toLowerCase()));
}

/** What is left of some rectangles under a window in front of them. */
function without(parts: Bounds[], { bounds: front }: Pick<ScreenWindow, 'bounds'>): Bounds[] {
  return parts.flatMap((part) => {
    const [left, right] = [Math.max(part.x, front.x), Math.min(part.x + part.width, front.x + front.width)];
    const [top, bottom] = [Math.max(part.y, front.y), Math.min(part.y + part.height, front.y + front.height)];
    if (left >= right || top >= bottom) return [part];
    const { x, width } = part;
    return [
      { x, y: part.y, width, height: top - part.y },
      { x, y: bottom, width, height: part.y + part.height - bottom },
      { x, y: top, width: left - x, height: bottom - top },
      { x: right, y: top, width: x + width - right, height: bottom - top },
    ].filter((rest) => rest.width > 0 && rest.height > 0);
  });
}

/** Black where the dashboard is, in the pixels of a picture. */
export function blanked(parts: readonly Bounds[], { bounds, scale }: { bounds: Bounds; scale: number }): Drawing {
  return parts.map((part) => {
    const [x, y] = [Math.floor((part.x - bounds.x) * scale), Math.floor((part.y - bounds.y) * scale)];
    const right = Math.ceil((part.x + part.width - bounds.x) * scale);
    const bottom = Math.ceil((part.y + part.height - bounds.y) * scale);
    return { x, y, width: right - x, height: bottom - y, colour: '#000000' };
  });
}
