import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { InputDriver, SightReference } from '../../agent/drivers/input.ts';
import { click } from '../../agent/hands/pointer.ts';
import { controlOf } from '../../agent/targets/control.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { unhurried } from './linux-input-rig.ts';
import { openPage, useHands } from './use-hands.ts';

/** A bar in front of a link, as many pages have one at their end, without a word about it to readers of the page. */
const PAGE = `<title>Covered</title><body style="margin:0">
  <a href="#home" style="position:absolute;left:200px;top:100px">Home</a>
  <a href="#x" aria-label="Onward" style="position:absolute;left:200px;top:400px">Delete</a>
  <button aria-label="Delete account" style="position:absolute;left:10px;top:500px;width:60px;height:60px"><svg role="img" width="40" height="40"><title>Bin</title></svg></button>
  <a href="#p" aria-label="Pay now" style="position:absolute;left:200px;top:500px"><h3 style="margin:0">Further</h3></a>
  <button title="Send" style="position:absolute;left:500px;top:500px">Arrow</button>
  <label for="w" style="position:absolute;left:600px;top:500px">Proceed</label>
  <input id="w" type="button" value="Delete files" style="position:absolute;left:700px;top:500px">
  <table role="grid" style="position:absolute;left:400px;top:300px"><tr aria-label="Delete row"><td>Cell</td></tr></table>
  <button style="position:absolute;left:10px;top:200px;width:90px" onclick="this.textContent==='Next'?this.textContent='Pay':document.title='Bought'">Next</button>
  <button style="position:absolute;left:10px;top:300px;width:90px" ondblclick="document.title='Opened'">Open</button>
  <a href="#free" style="position:absolute;left:200px;top:300px">Free</a>
  <div style="position:fixed;left:100px;top:80px;width:300px;height:60px;background:#fda">
  <button style="width:300px;height:60px" onclick="document.title='Paid'">Pay now</button></div>`;

const on = useHands({
  prepare: async () => {
    const page = join(on.folder, 'page.html');
    writeFileSync(page, PAGE);
    await openPage(on, `file://${page}`);
  },
});

const named = (name: string) =>
  on.rig.until(`the page has ${name}`, async () =>
    (await on.hands.describe()).elements.find((element) => element.name === name && element.bounds !== null),
  );

function middleOf({ bounds }: ScreenElement) {
  if (bounds === null) throw new Error('expected a place');
  return { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
}

test('N16: the other control at the place of a click is told, since it may be in front', async () => {
  const [home, free] = [await named('Home'), await named('Free')];
  const looks: SightReference[] = [
    { kind: 'point', point: middleOf(home) },
    { kind: 'element', elementId: home.id },
  ];
  for (const look of looks)
    expect(await on.sight(look)).toMatchObject({ element: { name: 'Home' }, others: ['Pay now'] });
  const next = await named('Onward');
  expect(await on.sight({ kind: 'element', elementId: next.id })).toMatchObject({ others: ['Delete'] });
  expect(await on.sight({ kind: 'element', elementId: free.id })).not.toHaveProperty('others');
  expect(await on.sight({ kind: 'point', point: middleOf(free) })).not.toHaveProperty('others');
});

test.each([
  ['an icon in a button', 'Bin', 'Delete account'],
  ['a heading in a link', 'Further', 'Pay now'],
  ['a button with a hint', 'Arrow', 'Send'],
  ['a label of a button', 'Proceed', 'Delete files'],
  ['a cell of a row', 'Cell', 'Delete row'],
])('N26: %s is told with all words of what a press there presses', async (_what, name, word) => {
  const { texts = [], element } = await on.sight({ kind: 'point', point: middleOf(await named(name)) });
  expect([element?.name, ...texts]).toContain(word);
});

/** Two presses on a button of the page, as the agent does them. */
async function clickTwice(name: string, untilPressed: () => Promise<unknown> = async () => undefined) {
  const { id: elementId } = await named(name);
  const target = {
    kind: 'element',
    elementId,
    control: controlOf(await on.sight({ kind: 'element', elementId })),
  } as const;
  let looks = 0;
  const look: InputDriver['sight'] = async (...of) => {
    looks += 1;
    if (looks > 1) await untilPressed();
    return on.hands.input.sight(...of);
  };
  const driver: Pick<Driver, 'input'> = { input: () => ({ ...on.hands.input, sight: look }) };
  return click(driver as Driver, { elementId, count: 2 }, { ...unhurried(), targets: [target] });
}

const titled = (title: string) =>
  on.rig.until(`the window is called ${title}`, async () =>
    (await on.hands.describe()).windows.some((window) => window.title.startsWith(title)),
  );

test('N27: a second press does not reach the control that the first one has put there', async () => {
  await named('Free');
  const outcome = await clickTwice('Next', () => named('Pay'));
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'done' });
  expect(outcome).toHaveProperty(
    'message',
    expect.stringMatching(/Changed: its name.*\. It was clicked once, and not again\.$/u),
  );
  await named('Pay');
});

test('two presses on a control that stays the same are a double click', async () => {
  expect(await clickTwice('Open')).toMatchObject({ ok: true });
  await titled('Opened');
});
