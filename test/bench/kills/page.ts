import { createServer } from 'node:http';

/** What a page of a real browser got in one round. */
export type Seen = { text: string; clicks: number; chords: number; drags: number; presses: number; releases: number };

export type WitnessPage = {
  host: string;
  /** Resolves when the page gets the first key or press from now on. */
  begun(): Promise<unknown>;
  /** What the page got since the last time; it then begins anew. `ask` presses the key that asks it. */
  tell(ask: () => Promise<unknown>): Promise<Seen>;
  close(): void;
};

/** Pressed last in a round: the server gives events in their order, so all that came before is counted. */
export const END_OF_ROUND = 'F8';

/** A field, a button and a strip that count what they get. */
const PAGE = `<!doctype html><title>Witness</title>
<body style="margin:20px"><textarea aria-label="Field" autofocus style="width:900px;height:200px"></textarea>
<p><button type="button" style="width:200px;height:60px">Count</button>
<p><button type="button" id="from">Here</button><span style="display:inline-block;width:500px"></span><button type="button" id="to">There</button>
<script>
const field = document.querySelector('textarea');
const fresh = () => ({ clicks: 0, chords: 0, drags: 0, presses: 0, releases: 0 });
let seen = fresh();
let [isHeld, isBegun] = [false, false];
const begin = () => { if (!isBegun) fetch('/begun'); isBegun = true; };
document.querySelector('button').addEventListener('click', () => seen.clicks++);
addEventListener('pointerdown', ({ target }) => { begin(); seen.presses++; isHeld = target.id === 'from'; }, true);
addEventListener('pointerup', ({ target }) => { seen.releases++; if (isHeld && target.id === 'to') seen.drags++; isHeld = false; }, true);
addEventListener('keydown', (event) => {
  if (event.key === 'F9' && event.ctrlKey && event.shiftKey && !event.repeat) seen.chords++;
  if (event.key !== '${END_OF_ROUND}') return begin();
  event.preventDefault();
  fetch('/seen', { method: 'POST', body: JSON.stringify({ text: field.value, ...seen }) });
  [seen, isBegun] = [fresh(), false];
  field.value = '';
  field.focus();
}, true);
</script>`;

export async function openWitnessPage(): Promise<WitnessPage> {
  let next = Promise.withResolvers<Seen>();
  let first = Promise.withResolvers<void>();
  const server = createServer(async (request, answer) => {
    if (request.url === '/seen') next.resolve(JSON.parse(Buffer.concat(await request.toArray()).toString()) as Seen);
    if (request.url === '/begun') first.resolve();
    answer.setHeader('content-type', 'text/html; charset=utf-8').end(request.url === '/' ? PAGE : '');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    host: `127.0.0.1:${Object(server.address()).port}`,
    begun() {
      first = Promise.withResolvers<void>();
      return first.promise;
    },
    async tell(ask) {
      next = Promise.withResolvers<Seen>();
      await ask();
      return next.promise;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
