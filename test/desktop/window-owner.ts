import { createInterface } from 'node:readline';
import { createClient, type Shape } from 'x11';

/** Shows a window for each line of `{ title, app }` it reads, always under the same id, and prints the id. It draws nothing. */
const STRING_ATOM = 31;
const WM_NAME = 39;
const WM_CLASS = 67;

/** `part`: the window fills only this part of its rectangle. */
type Wish = { title: string; app: string; part?: [number, number, number, number] };

function shapeTo(shape: Shape, id: number, part: [number, number, number, number]): boolean {
  shape.Rectangles(0, 0, id, 0, 0, [part]);
  return true;
}

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client, screen } = connected;
  const root = screen[0]?.root ?? 0;
  const id = client.AllocID();
  let isShown = false;
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { title, app, part } = JSON.parse(line) as Wish;
    if (isShown) client.DestroyWindow(id);
    isShown = true;
    client.CreateWindow(id, root, 200, 150, 320, 200);
    client.ChangeProperty(0, id, WM_NAME, STRING_ATOM, 8, title);
    client.ChangeProperty(0, id, WM_CLASS, STRING_ATOM, 8, `${app.toLowerCase()}\0${app}\0`);
    if (part !== undefined) client.require('shape', (_missing, shape) => shapeTo(shape, id, part));
    client.MapWindow(id);
    client.flush(() => process.stdout.write(`0x${id.toString(16).padStart(8, '0')}\n`));
  });
});
