import { expect, test } from 'vitest';
import { everyFault, faultsOfColour, seriousFaults } from './accessibility.ts';
import { usePages } from './page-rig.ts';

const { openPage } = usePages();

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const FAULTY_PAGE = `<!doctype html><html lang="en"><title>Faulty</title><main>
  <h1>Faulty</h1>
  <h3>A level is left out</h3>
  <section id="pale" style="background: #fff"><p style="color: #ccc">Too pale to read</p></section>
  <img src="${PICTURE}">
</main></html>`;

test('a picture without words and text that is too pale are serious faults; a heading of the wrong level is none', async () => {
  const { page } = await openPage();
  await page.setContent(FAULTY_PAGE);
  const faults = await seriousFaults(page);
  expect(faults.map(({ id, where }) => [id, where.map(({ target }) => target)])).toEqual([
    ['color-contrast', [['p']]],
    ['image-alt', [['img']]],
  ]);
  expect((await everyFault(page)).map(({ id }) => id)).toContain('heading-order');
  expect((await faultsOfColour(page)).map(({ id }) => id)).toEqual(['color-contrast']);
});

test('a part of the page can be checked by itself', async () => {
  const { page } = await openPage();
  await page.setContent(FAULTY_PAGE);
  expect((await everyFault(page, '#pale')).map(({ id }) => id)).toEqual(['color-contrast']);
});
