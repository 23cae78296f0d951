import { createClient } from 'x11';

/**
 * A window over the whole screen that prints a line for each event it gets: the kind, the place on the root window, and the button or key. It
 * shares nothing with the code under test but the protocol.
 */
const [MASK_PRESS, MASK_RELEASE, MASK_BUTTON, MASK_UNBUTTON, MASK_MOTION] = [1, 2, 4, 8, 64];
const EVENTS = MASK_PRESS | MASK_RELEASE | MASK_BUTTON | MASK_UNBUTTON | MASK_MOTION;

type InputEvent = { name: string; keycode: number; rootx: number; rooty: number };

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client, screen } = connected;
  const root = screen[0]?.root ?? 0;
  const id = client.AllocID();
  const values = { eventMask: EVENTS, overrideRedirect: 1 } as const;
  client.CreateWindow(id, root, 0, 0, 1920, 1080, 0, 0, 0, 0, values);
  client.MapWindow(id);
  client.on('event', ({ name, keycode, rootx, rooty }: InputEvent) => {
    process.stdout.write(`${JSON.stringify({ name, detail: keycode, x: rootx, y: rooty })}\n`);
  });
  client.SetInputFocus(id, 0);
  client.flush(() => process.stdout.write('"shown"\n'));
});
