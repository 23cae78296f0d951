import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { Device } from '../../src/contract/device.ts';
import { type Console, EVERYTHING, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Look } from './kept-page.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';

/** One real daemon with the fake driver and one browser for all tests of a file. */
export function useSharedDaemon() {
  const { openKept } = usePages();
  let started: { daemon: RunningDaemon; person: Console } | undefined;
  beforeAll(async () => {
    const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' });
    started = { daemon, person: await daemon.signIn() };
  });
  afterAll(() => started?.daemon.stop());

  function current() {
    if (started === undefined) throw new Error('the daemon is there in tests only');
    return started;
  }

  async function freshCode(): Promise<string> {
    const { daemon, person } = current();
    const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
    const { body } = await daemon.call<{ code: string }>('/api/console/session/code', { method: 'POST', headers });
    return body.code;
  }

  /** The page, signed in and loaded anew, at a place such as `#/metrics`. */
  async function openAt(place: string, look: Look = {}): Promise<Page> {
    const signIn = async (page: Page) => typeCode(page, await freshCode());
    const { page } = await openKept(`${current().daemon.base}/${place}`, signIn, { viewport: WINDOW, ...look });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return page;
  }

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

  return { openAt, requester };
}

/** How far the page sticks out to the right of its window, in CSS pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Whether something is drawn on a canvas. */
export function hasDrawing(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return false;
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] };
    return data.some((value) => value !== 0);
  });
}
