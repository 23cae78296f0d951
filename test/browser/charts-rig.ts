import type { Page } from 'playwright';
import type { Device } from '../../src/contract/device.ts';
import { EVERYTHING } from '../e2e/daemon.ts';
import type { Look } from './kept-page.ts';
import { useRealDaemon } from './real-daemon.ts';

/** One real daemon without limits on how often it is called, and one page, for all tests of a file. */
export function useSharedDaemon() {
  const { openAt, current } = useRealDaemon({ HANDRAIL_RATE_LIMITS: 'off' });

  /** Registers a device of a requester, and answers functions that submit actions for it. */
  async function requester(userId: string, name = 'Desk') {
    const { daemon } = current();
    const registration = { type: 'linux', name, capabilities: EVERYTHING };
    const { body } = await daemon.call<Device>('/api/tee/devices/register', { userId, body: registration });
    return {
      wait: (durationMs = 0) =>
        daemon.submit({ targetDeviceId: body.id, actionType: 'Wait', parameters: { durationMs } }, { userId }),
      openMissingApp: () =>
        daemon.submit(
          { targetDeviceId: body.id, actionType: 'OpenApp', parameters: { appName: 'no-such' } },
          { userId },
        ),
    };
  }

  return {
    requester,
    /** The page, signed in and loaded anew, at a place such as `#/metrics`. */
    async openAt(place: string, look?: Look): Promise<Page> {
      const { page } = await openAt(place, look);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    },
  };
}

/** Whether something is drawn on a canvas. */
export function hasDrawing(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return false;
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] };
    return data.some((value) => value !== 0);
  });
}
