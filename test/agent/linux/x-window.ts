import type { XWindow } from '../../../agent/drivers/linux/x-window.ts';

/** A window as X11 describes it, with defaults for the facts that a test does not set. */
export function xWindow(properties: Partial<XWindow> = {}): XWindow {
  const bounds = properties.bounds ?? { x: 0, y: 0, width: 640, height: 480 };
  return {
    id: '0x00000001',
    xid: 1,
    instanceName: '',
    className: '',
    applicationId: null,
    pid: null,
    title: '',
    startupId: null,
    bounds,
    clientBounds: bounds,
    focused: false,
    minimized: false,
    shown: true,
    isMain: true,
    isDialog: false,
    isModal: false,
    closesOnRequest: true,
    staysAbove: false,
    ...properties,
  };
}
