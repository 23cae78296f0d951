import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { startScriptsRig } from '../e2e/scripts-rig.ts';
import { seriousFaults } from './accessibility.ts';
import { overflow, PANEL, usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openSignedIn } = usePages();

/** Escapes, a bidi override and markup on one output; many lines on the other; a changed file; and it fails. */
const HOSTILE = [
  String.raw`printf 'safe \342\200\256gnp.exe\007 \033[31m<img src=x onerror=alert(1)>\tend \\u{7}\n'`,
  'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "line $i of errors" >&2; done',
  "echo done > 'report <b>.txt'",
  'exit 3',
].join('\n');

async function openWithScript() {
  const rig = await startScriptsRig();
  const page = await openSignedIn(rig.daemon.base, await rig.newCode(), { viewport: WINDOW });
  return { rig, page };
}

async function isShownAsResult(page: Page): Promise<void> {
  const result = page.getByRole('region', { name: 'Result of the script' });
  await result.getByText('Exit code 3').waitFor();
  const output = result.getByRole('region', { name: 'Output', exact: true }).locator('pre');
  // The last escape is spelled by the script itself, so it is plain text; the others stand for characters.
  expect(await output.textContent()).toBe(
    'safe \\u{202e}gnp.exe\\u{7} \\u{1b}[31m<img src=x onerror=alert(1)>\tend \\u{7}\n',
  );
  expect(await output.locator('.escape').allTextContents()).toEqual(['\\u{202e}', '\\u{7}', '\\u{1b}']);
  const errors = result.getByRole('region', { name: 'Errors', exact: true });
  expect(await errors.locator('pre').textContent()).toMatch(/^line 389 of errors\n(?:.*\n){10}line 400 of errors\n$/);
  await errors.getByRole('button', { name: /^Show all [\d,]+ characters$/ }).click();
  expect(await errors.locator('pre').textContent()).toMatch(/^line 1 of errors\n/);
  await errors.getByRole('button', { name: 'Show less' }).click();
  expect(await result.getByRole('region', { name: 'Changed files' }).textContent()).toMatch(
    /^Changed files: 1created .*\/work\/report <b>\.txt$/,
  );
  expect(await page.locator('img.picture').count()).toBe(0);
  expect(await page.getByText('Screenshot, ').count()).toBe(0);
  for (const viewport of [PANEL, WINDOW]) {
    await page.setViewportSize(viewport);
    expect([viewport.width, await overflow(page)]).toEqual([viewport.width, 0]);
  }
  expect(await seriousFaults(page)).toEqual([]);
}

test('the result of a script is its exit code, its outputs as text and the files it changed, in the answer and in the activity', async () => {
  const { rig, page } = await openWithScript();
  const { body: asked } = await rig.submit('RunScript', { interpreter: 'sh', script: HOSTILE, folder: '~/work' });
  const { allow, allowIsAlive, denyIsAlive } = handsOn(page);
  await denyIsAlive();
  for (const edge of await page.locator('.prompt-body .edge').all()) await edge.scrollIntoViewIfNeeded();
  await allowIsAlive();
  await allow.click();
  await isShownAsResult(page);
  await page.goto(`${rig.daemon.base}/#/activity/${asked.actionId}`);
  await isShownAsResult(page);
});

test('the text of a read file is shown as text, and a file that is kept for the requester is no picture', async () => {
  const { rig, page } = await openWithScript();
  for (const [as, sign] of [
    ['text', 'canary-notes-27b0'],
    ['artifact', 'A file of 17 bytes, kept for the requester.'],
  ]) {
    const { body } = await rig.submit('ReadFile', { path: '~/work/notes.txt', as });
    await page.goto(`${rig.daemon.base}/#/activity/${body.actionId}`);
    await page.locator('.detail').getByText(String(sign)).waitFor();
    expect(await page.locator('img.picture').count()).toBe(0);
  }
});
