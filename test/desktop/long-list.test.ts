import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { createScreenTexts } from '../../agent/screen-text/screen-texts.ts';
import { startRig } from './rig.ts';

const rig = await startRig({ width: 1280, height: 800 });
const driver = createLinuxDriver({ ...process.env, ...rig.env });
const folder = mkdtempSync(join(tmpdir(), 'handrail-list-'));

afterAll(async () => {
  await driver.close();
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a table that goes on below says how many rows, and the description is not complete', async () => {
  const page = join(folder, 'page.html');
  const rows = Array.from({ length: 100 }, (_, index) => `<tr><td>Order ${index + 1}<td>Customer ${index + 1}`);
  writeFileSync(page, `<title>Orders</title><table>${rows.join('')}</table>`);
  await rig.open('chromium', [
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--window-size=900,600',
    `--user-data-dir=${folder}/profile`,
    `file://${page}`,
  ]);
  const screen = await rig.until('the table is told', async () => {
    const outcome = await driver.describeScreen(
      { contents: true },
      { signal: new AbortController().signal, deadlineMs: 30_000 },
    );
    return outcome.ok && outcome.data.elements.some(({ name }) => name === 'Order 1') ? outcome.data : undefined;
  });
  const shown = screen.elements.filter(({ role, name }) => role === 'cell' && name.startsWith('Order ')).length;
  expect(shown).toBeLessThan(100);
  expect(screen.complete).toBe(false);
  expect(screen.degradedReasons.map(({ code }) => code)).toContain('list_goes_on');
  const [table] = screen.elements.filter(({ beyond }) => beyond !== undefined);
  expect(table).toMatchObject({ role: 'table', beyond: { above: 0, below: 100 - shown } });
  const outlined = createScreenTexts()(screen, {});
  expect(outlined.ok && outlined.data.text).toContain(`[${100 - shown} more below]`);
});
