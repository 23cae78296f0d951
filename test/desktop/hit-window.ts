import { createClient } from 'x11';

/**
 * A window that prints each event of pointer and keyboard that it gets, with the place on the root window and the server's time. Its arguments are its title, left,
 * top, width, height and, for a window that no window manager knows, `overlay`.
 */
const [MASK_PRESS, MASK_RELEASE, MASK_BUTTON, MASK_UNBUTTON, MASK_MOTION] = [1, 2, 4, 8, 64];
const EVENTS = MASK_PRESS | MASK_RELEASE | MASK_BUTTON | MASK_UNBUTTON | MASK_MOTION;
const [WM_NAME, WM_CLASS, WM_NORMAL_HINTS, WM_SIZE_HINTS, STRING_ATOM, CARDINAL_ATOM] = [39, 67, 40, 41, 31, 6];
/** The person chose place and size, so that the window manager leaves it there (ICCCM 4.1.2.3). */
const CHOSEN = [3, ...Array<number>(17).fill(0)];

const [title = 'Hits', ...rest] = process.argv.slice(2);
const [left = 0, top = 0, width = 800, height = 600] = rest.map(Number);
const isOverlay = rest.at(-1) === 'overlay';

type InputEvent = { name: string; keycode: number; rootx: number; rooty: number; time: number };

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client, screen } = connected;
  const id = client.AllocID();
  const values = { eventMask: EVENTS, ...(isOverlay && { overrideRedirect: 1 as const }) };
  client.CreateWindow(id, screen[0]?.root ?? 0, left, top, width, height, 0, 0, 0, 0, values);
  client.ChangeProperty(0, id, WM_NAME, STRING_ATOM, 8, title);
  client.ChangeProperty(0, id, WM_CLASS, STRING_ATOM, 8, 'hits\0Hits\0');
  client.ChangeProperty(0, id, WM_NORMAL_HINTS, WM_SIZE_HINTS, 32, CHOSEN);
  client.on('event', ({ name, keycode, rootx, rooty, time }: InputEvent) => {
    process.stdout.write(`${JSON.stringify({ name, detail: keycode, x: rootx, y: rooty, time })}\n`);
  });
  client.InternAtom(false, '_NET_WM_PID', (_fault, pid) => {
    client.ChangeProperty(0, id, pid, CARDINAL_ATOM, 32, [process.pid]);
    client.MapWindow(id);
    client.flush(() => process.stdout.write('"shown"\n'));
    return true;
  });
});
