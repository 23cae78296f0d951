import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sighting } from '../../agent/drivers/input.ts';
import type { Bounds } from '../../src/contract/device.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { unhurried } from './linux-input-rig.ts';
import type { RigApp } from './rig.ts';
import { openPage, useHands } from './use-hands.ts';

let app: RigApp;

/** Controls in each other, over each other, outside of what they are in, in a frame, and of every kind that a rule judges. */
const PAGE = `<title>Many places</title>
  <form><label>Name <input></label><label>Code <input type="password"></label><button disabled>Off</button><button>Send</button></form>
  <ul><li>One <a href="#here">link</a><li>Two</ul><p>Long text <b>bold</b> <img src="x" alt="A picture"></p>
  <div role="button" tabindex="0" style="padding:20px"><span>Outer <img src="y"></span></div>
  <div role="switch" tabindex="0" aria-checked="true">Switch</div><button aria-haspopup="menu">Menu</button>
  <select><option>A<option>B</select><textarea>Text</textarea><div contenteditable>edit</div>
  <iframe srcdoc="<button>In a frame</button>" width="300" height="60"></iframe>
  <div style="position:relative;height:100px"><button style="position:absolute;width:300px;height:90px">Below</button>
    <button style="position:absolute;left:40px;top:20px;width:60px;height:30px">Over</button></div>
  <div style="height:0"><div style="position:fixed;right:20px;top:150px;background:#fda"><button>Allow</button></div></div>
  <button id="inert">Inert</button><p>Words</p>`;

const on = useHands({
  prepare: async () => {
    const page = join(on.folder, 'page.html');
    writeFileSync(page, PAGE);
    ({ app } = await openPage(on, `file://${page}`));
  },
});

/** The elements once the page is whole and stands still. */
async function elements(): Promise<ScreenElement[]> {
  let before = '';
  return on.rig.until('the page is described and stands still', async () => {
    const now = (await on.hands.describe()).elements;
    const isSame = JSON.stringify(now) === before;
    before = JSON.stringify(now);
    return isSame && now.some(({ name }) => name === 'In a frame') ? now : undefined;
  });
}

test('a look at a point sees what the whole description has there: the smallest that holds the point', async () => {
  const all = await elements();
  const window = all.find(({ name }) => name.startsWith('Many places'))?.windowId;
  const own = all.filter(({ windowId }) => windowId === window);
  const top = own.find(({ role }) => role === 'document')?.bounds?.y ?? 0;
  // The tab above the page says how much memory it uses, another number each time.
  const middles = own.flatMap(({ bounds }) => (bounds === null || bounds.y < top ? [] : middleOf(bounds)));
  expect(middles.length).toBeGreaterThan(30);
  for (const point of middles) {
    const { element } = await on.sight({ kind: 'point', point });
    const expected = smallestAt(own, point);
    expect([point, element?.elementId, element?.role, element?.name]).toEqual([
      point,
      expected?.id,
      expected?.role,
      expected?.name,
    ]);
  }
});

test('a look at an element sees what the description tells of it, and which field is for a password', async () => {
  const controls = (await elements()).filter(
    ({ role, windowId }) => windowId !== null && role !== 'window' && role !== 'tab',
  );
  for (const { id, role, name, bounds } of controls) {
    expect((await on.sight({ kind: 'element', elementId: id })).element).toMatchObject({
      elementId: id,
      role,
      name,
      bounds,
      isPassword: role === 'textbox' && name === 'Code',
    });
  }
});

test('what gets the keys is the address bar while a field of the page keeps its focus', async () => {
  const field = (await elements()).find(({ role, name }) => role === 'textbox' && name === 'Name');
  const [at] = field?.bounds ? middleOf(field.bounds) : [];
  if (at === undefined) throw new Error('the field has no place');
  expect(await on.hands.input.click({ at }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
  expect(await focused('Name')).toMatchObject({ element: { isEditable: true }, defaultButton: 'Send' });
  const inPage = [expect.stringContaining('page.html')];
  expect(await documentsNow()).toEqual(inPage);
  await on.rig.ask('xdotool', 'key', 'ctrl+l');
  expect(await on.rig.until('the keyboard has left the page', async () => (await documentsNow())?.length === 0)).toBe(
    true,
  );
  const { documents, pagesBeside } = await focused('Address and search bar');
  expect([documents, pagesBeside]).toEqual([[], [...inPage, ...pagesBeside.slice(1)]]);
});

test('a click that changes nothing is not confirmed, and one that moves the focus is', async () => {
  const button = (await elements()).find(({ name }) => name === 'Inert');
  const [at] = button?.bounds ? middleOf(button.bounds) : [];
  if (at === undefined) throw new Error('the button has no place');
  expect(await on.hands.input.click({ at }, unhurried())).toMatchObject({ ok: true, effect: 'confirmed' });
  await focused('Inert');
  // A late effect of the click before may be taken for one of the next; a click after that has none.
  await on.rig.until('a click that changes nothing is not confirmed', async () => {
    const again = await on.hands.input.click({ at }, unhurried());
    return again.ok && again.effect === 'unverified';
  });
  await app.end();
});

/** The quick way, as it is asked between keys. */
async function documentsNow(): Promise<readonly string[] | undefined> {
  const found = await on.hands.input.focusDocuments(unhurried());
  return found.ok ? found.data : undefined;
}

/** What the keys reach, once it is the control of this name. */
function focused(name: string): Promise<Sighting> {
  return on.rig.until(`${name} has the keyboard`, async () => {
    const seen = await on.sight({ kind: 'focus' });
    return seen.element?.name === name ? seen : undefined;
  });
}

function middleOf({ x, y, width, height }: Bounds) {
  return [{ x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) }];
}

function smallestAt(all: readonly ScreenElement[], { x, y }: { x: number; y: number }): ScreenElement | undefined {
  const there = all.filter(({ bounds }) => {
    return bounds && x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
  });
  const area = ({ bounds }: ScreenElement) => (bounds === null ? 0 : bounds.width * bounds.height);
  const least = Math.min(...there.map(area));
  return there.findLast((one) => area(one) === least);
}
