import type { Driver } from '../../driver.ts';
import { documentsSeen } from '../../focus-documents.ts';
import type { InputDriver } from '../../input.ts';
import { inputDone, refused } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import { createWaitFor } from '../../wait-for.ts';
import { openerOf } from '../opener.ts';
import { createAppsOfWindows } from '../window-identity.ts';
import { type ActingNeeds, createActing } from './acting.ts';
import { MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import { createElementActions } from './elements.ts';
import { knownDocuments } from './focus-documents.ts';
import { createKeys } from './keys.ts';
import { createOpenUrl, type OpenUrlNeeds } from './open-url.ts';
import { createPointer } from './pointer.ts';
import { createSettle } from './settle.ts';
import { type SightNeeds, sightOf } from './sight.ts';
import { pageOf } from './surroundings.ts';
import { createClipboards } from './type-text.ts';
import { createWindowActions } from './windows.ts';

export type LinuxInputNeeds = Omit<SightNeeds, 'appOf' | 'latestFocus' | 'typing'> &
  ActingNeeds &
  OpenUrlNeeds & { describeScreen: Driver['describeScreen'] };

/** Pointer, keyboard and windows of the X server that DISPLAY names. Connects at the first input. */
export function createLinuxInput(sources: LinuxInputNeeds): InputDriver {
  const needs = { ...sources, appOf: createAppsOfWindows(sources), latestFocus: {}, typing: {} };
  const acting = createActing(needs);
  const clipboardOf = createClipboards();
  const sight: InputDriver['sight'] = (reference, attempt) => sightOf(needs, reference, withinDeadline(attempt));
  return {
    sight,
    async focusDocuments(attempt) {
      const known = await knownDocuments(needs.bus, needs.latestFocus);
      return known === null ? documentsSeen(sight, attempt) : { ok: true, data: known };
    },
    ...createPointer(acting, needs.x11),
    ...createKeys(acting, { ...needs, clipboardOf }),
    ...createElementActions(acting, needs),
    ...createWindowActions(needs),
    waitFor: createWaitFor(needs.describeScreen),
    settle: createSettle(needs),
    async opener({ scheme }, attempt) {
      const opener = await openerOf(scheme, { ...needs, signal: withinDeadline(attempt) });
      return opener?.app ?? null;
    },
    async page({ windowId }) {
      const desktop = await needs.x11.desktop();
      const window = desktop.ok ? desktop.value.windows.find(({ id }) => id === windowId) : undefined;
      return window === undefined ? '' : pageOf(needs.bus, window);
    },
    openUrl: createOpenUrl(needs),
    readClipboard: (attempt: Attempt) =>
      acting.act<{ text: string }>(attempt, async ({ seat }) => {
        const text = await (await clipboardOf(seat)).read();
        if (text === null) return refused({ code: 'not_supported', message: 'The clipboard holds no text.' });
        return {
          ok: true,
          details: 'The clipboard was read.',
          effect: 'none',
          data: { text },
          delivered: 'yes',
          safeToRepeat: true,
        };
      }),
    writeClipboard: ({ text }, attempt) =>
      acting.act(attempt, async ({ seat, objection }) => {
        const stopped = await objection();
        if (stopped !== undefined) return stopped;
        if (Buffer.byteLength(text) > MOST_CLIPBOARD_BYTES) return refused(TOO_LONG);
        const clipboard = await clipboardOf(seat);
        const isConfirmed = (await clipboard.write(text)) && (await clipboard.read()) === text;
        return inputDone('The text is in the clipboard.', { isConfirmed, data: {}, safeToRepeat: true });
      }),
    close: () => acting.close(),
  };
}

const TOO_LONG = {
  code: 'too_large',
  message: `Expected a text of at most ${MOST_CLIPBOARD_BYTES} bytes for the clipboard.`,
} as const;
