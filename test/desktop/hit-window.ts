import { createClient } from 'x11';

/** A window that prints the place of each press that it gets, on the root window. */
const PRESS = 4;
const [WM_NAME, STRING_ATOM] = [39, 31];

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client, screen } = connected;
  const id = client.AllocID();
  client.CreateWindow(id, screen[0]?.root ?? 0, 0, 0, 800, 600, 0, 0, 0, 0, { eventMask: PRESS });
  client.ChangeProperty(0, id, WM_NAME, STRING_ATOM, 8, 'Hits');
  client.MapWindow(id);
  client.on('event', ({ rootx, rooty }: { rootx: number; rooty: number }) => {
    process.stdout.write(`${JSON.stringify({ x: rootx, y: rooty })}\n`);
  });
  client.flush(() => process.stdout.write('"shown"\n'));
});
