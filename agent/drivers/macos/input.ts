import type { InputDriver } from '../input.ts';
import { refused } from '../input-outcome.ts';

/** macOS has no hands so far: each call is refused, and nothing is done. */
export function createMacosInput(): InputDriver {
  const no = async () =>
    refused({ code: 'not_supported', message: 'Handrail cannot use pointer and keyboard on macOS yet.' });
  return {
    sight: no,
    movePointer: no,
    click: no,
    drag: no,
    scroll: no,
    pressKeys: no,
    typeText: no,
    setValue: no,
    actOnElement: no,
    invokeMenu: no,
    listWindows: no,
    focusWindow: no,
    moveWindow: no,
    minimizeWindow: no,
    closeWindow: no,
    waitFor: no,
    openUrl: no,
    readClipboard: no,
    writeClipboard: no,
    close: async () => undefined,
  };
}
