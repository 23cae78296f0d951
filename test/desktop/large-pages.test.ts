import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createRefs } from '../../agent/screen-text/refs.ts';
import { createScreenTexts } from '../../agent/screen-text/screen-texts.ts';
import type { ScreenDescription } from '../../src/contract/screen.ts';
import { shareDriver } from './share-rig.ts';

const { rig, driver } = await shareDriver({ width: 1280, height: 800 });
const folder = mkdtempSync(join(tmpdir(), 'handrail-large-'));

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function look(contents: boolean): Promise<{ screen: ScreenDescription; tookMs: number }> {
  const startedAt = performance.now();
  const outcome = await driver.describeScreen(
    { contents },
    { signal: new AbortController().signal, deadlineMs: 60_000 },
  );
  if (!outcome.ok) throw new Error(outcome.message);
  return { screen: outcome.data, tookMs: Math.round(performance.now() - startedAt) };
}

const isOrder = ({ role, name }: { role: string; name: string }) => role === 'cell' && name.startsWith('order ');
const isAwaited = ({ missing }: { missing?: string }) => missing === 'app_slow';

/** A page of 20,000 rows takes long on a machine that does other work as well. */
const LOADED_WITHIN_MS = 120_000;
const MOST_LOOKS = 4;

test.each([300, 3_000, 20_000])(
  'of a page of %i rows, scrolled to its end, what is seen is told, or a line says that it is missing',
  { timeout: 240_000 },
  async (count) => {
    const rows = Array.from(
      { length: count },
      (_, i) =>
        `<tr><td>order ${i}</td><td><button>Open ${i}</button></td><td><input aria-label="note ${i}"></td></tr>`,
    );
    const page = join(folder, `${count}.html`);
    writeFileSync(
      page,
      `<title>Loading</title><div id=box style="height:400px;overflow:auto"><table>${rows.join('')}</table></div>` +
        '<script>onload=()=>{box.scrollTop=box.scrollHeight;document.title="Orders"}</script>',
    );
    const browser = rig.launch('chromium', [
      ...['--no-sandbox', '--no-first-run', '--disable-gpu', '--window-size=900,600'],
      ...[`--user-data-dir=${folder}/profile${count}`, `file://${page}`],
    ]);
    onTestFinished(() => browser.end());
    await rig.until(
      'the page is loaded',
      async () => (await rig.windows()).some(({ title }) => title.startsWith('Orders')),
      LOADED_WITHIN_MS,
    );
    const without = (await look(false)).screen;
    expect(without.complete).toBe(false);
    let isTold = false;
    // A browser takes its time to tell a page, and to tell that it was scrolled.
    for (let looks = 0; looks < MOST_LOOKS && !isTold; looks += 1) {
      const { screen, tookMs } = await look(true);
      const seen = screen.elements.filter(isOrder).map(({ name }) => name);
      const isMissing = [...screen.windows, ...screen.elements].some(isAwaited);
      console.log(`${count} rows: ${tookMs} ms, ${seen.length} orders told, to ${seen.at(-1)}, awaited: ${isMissing}`);
      expect(screen.complete).toBe(false);
      expect(isMissing || seen.length > 0).toBe(true);
      const outlined = createScreenTexts()(screen, {}, createRefs());
      if (isMissing) expect(outlined.ok && outlined.data.text).toContain('[did not answer in time]');
      isTold = seen.includes(`order ${count - 1}`);
      expect(isTold || isMissing || looks < MOST_LOOKS - 1).toBe(true);
    }
  },
);
