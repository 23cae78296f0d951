import { createHash } from 'node:crypto';
import {
  type Client,
  createClient,
  eventMask,
  type Property,
  type PropertyNotify,
  type SelectionRequest,
  type XEvent,
} from 'x11';

/**
 * Another program at the clipboard. `own` puts a picture, its page and its name into it, the picture in parts (ICCCM 2.7.2), and stays. `read` prints a
 * digest of each form that the clipboard has, and ends.
 */
const PICTURE = Buffer.from(Array.from({ length: 600_000 }, (_, index) => (index * 2_654_435_761) >>> 24));
const FORMS: Readonly<Record<string, Buffer>> = {
  'image/png': PICTURE,
  'text/html': Buffer.from('<img src="a.png">'),
  UTF8_STRING: Buffer.from('a.png'),
};
const [LARGE, PART, ATOM, DELETED, NEW_VALUE] = [100_000, 60_000, 4, 1, 0];

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client, screen } = connected;
  const window = client.AllocID();
  const values = { eventMask: eventMask.PropertyChange };
  client.CreateWindow(window, screen[0]?.root ?? 0, -10, -10, 1, 1, 0, 0, 0, 0, values);
  const work = process.argv[2] === 'own' ? own(client, window) : read(client, window);
  work.catch((failed) => {
    process.stderr.write(`${failed}\n`);
    process.exit(1);
  });
});

function atom(client: Client, name: string): Promise<number> {
  return new Promise((resolve) => {
    client.InternAtom(false, name, (_error, number) => {
      resolve(number);
      return true;
    });
  });
}

async function own(client: Client, window: number): Promise<void> {
  const [selection, targets, incremental] = [
    await atom(client, 'CLIPBOARD'),
    await atom(client, 'TARGETS'),
    await atom(client, 'INCR'),
  ];
  const forms = new Map<number, Buffer>();
  for (const [name, data] of Object.entries(FORMS)) forms.set(await atom(client, name), data);
  const rests = new Map<string, { type: number; rest: Buffer }>();
  const continued = ({ wid, atom: place }: PropertyNotify) => {
    const left = rests.get(`${wid} ${place}`);
    if (left === undefined) return;
    client.ChangeProperty(0, wid, place, left.type, 8, left.rest.subarray(0, PART));
    if (left.rest.length === 0) rests.delete(`${wid} ${place}`);
    left.rest = left.rest.subarray(PART);
  };
  const given = ({ requestor, target, property }: SelectionRequest): boolean => {
    const data = forms.get(target);
    if (target === targets) client.ChangeProperty(0, requestor, property, ATOM, 32, [targets, ...forms.keys()]);
    else if (data === undefined) return false;
    else if (data.length <= LARGE) client.ChangeProperty(0, requestor, property, target, 8, data);
    else {
      rests.set(`${requestor} ${property}`, { type: target, rest: data });
      client.ChangeWindowAttributes(requestor, { eventMask: eventMask.PropertyChange }, () => true);
      client.ChangeProperty(0, requestor, property, incremental, 32, [data.length]);
    }
    return true;
  };
  client.on('event', (event: XEvent) => {
    if (event.name === 'PropertyNotify' && event.state === DELETED) continued(event);
    if (event.name !== 'SelectionRequest') return;
    const { time, requestor, target, property } = event;
    const answer = { time, requestor, selection, target, property: given(event) ? property : 0 };
    client.SendEvent(requestor, 0, 0, { type: 31, seq: 0, ...answer });
  });
  client.SetSelectionOwner(window, selection);
  client.GetSelectionOwner(selection, (_error, owner) => {
    process.stdout.write(owner === window ? 'owns\n' : 'lost\n');
    return true;
  });
}

async function read(client: Client, window: number): Promise<void> {
  const [selection, targets, incremental, place] = [
    await atom(client, 'CLIPBOARD'),
    await atom(client, 'TARGETS'),
    await atom(client, 'INCR'),
    await atom(client, 'PEER'),
  ];
  const heard: XEvent[] = [];
  let wake: (() => void) | undefined;
  client.on('event', (event: XEvent) => {
    heard.push(event);
    wake?.();
  });
  const next = async (isIt: (event: XEvent) => boolean): Promise<XEvent> => {
    for (;;) {
      const event = heard.shift();
      if (event !== undefined && isIt(event)) return event;
      if (event === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  const take = (): Promise<Property> =>
    new Promise((resolve) => {
      client.GetProperty(1, window, place, 0, 0, 1_000_000, (_error, value) => {
        resolve(value);
        return true;
      });
    });
  const ask = async (target: number): Promise<Buffer | undefined> => {
    client.ConvertSelection(window, selection, target, place);
    const answer = await next(({ name }) => name === 'SelectionNotify');
    if (answer.name === 'SelectionNotify' && answer.property === 0) return undefined;
    const whole = await take();
    if (whole.type !== incremental) return whole.data;
    for (const parts: Buffer[] = []; ; ) {
      await next((event) => event.name === 'PropertyNotify' && event.state === NEW_VALUE);
      const part = await take();
      if (part.data.length === 0) return Buffer.concat(parts);
      parts.push(Buffer.from(part.data));
    }
  };
  const offered = await ask(targets);
  const numbers = Array.from({ length: (offered?.length ?? 0) / 4 }, (_, at) => offered?.readUInt32LE(at * 4) ?? 0);
  const found: Record<string, string> = { forms: String(numbers.filter((number) => number !== targets).length) };
  for (const name of Object.keys(FORMS)) {
    const data = numbers.includes(await atom(client, name)) ? await ask(await atom(client, name)) : undefined;
    if (data !== undefined) found[name] = createHash('sha256').update(data).digest('hex');
  }
  process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
}
