import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright';

/** The short form of axe's script: each new page takes less than half the time for it. Its last value is too large to hand over. */
const AXE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};undefined`;

/** A rule of axe, and the elements that break it. */
type Fault = { id: string; where: { target: unknown; failureSummary: string | undefined }[] };

/** The faults of a page that keep somebody from using it: those that axe calls serious or critical. */
export async function seriousFaults(page: Page): Promise<Fault[]> {
  return seriousOf(await everyFault(page));
}

/** The same, by the rules about colours alone: for a page that was checked in another theme, with the same elements. */
export async function faultsOfColour(page: Page): Promise<Fault[]> {
  return seriousOf(await run(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }));
}

function seriousOf(faults: Awaited<ReturnType<typeof run>>): Fault[] {
  return faults
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, where }) => ({ id, where }));
}

/**
 * All faults that axe finds on a page, or in the part of it that the CSS selector `within` names.
 *
 * Axe runs in the page itself. Its Playwright package would open a second page for each call to put the results together, which
 * takes as long again; that serves pages with frames of other origins, and Handrail has none.
 */
export function everyFault(page: Page, within?: string) {
  return run(page, {}, within);
}

async function run(page: Page, options: axe.RunOptions, within?: string) {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  return page.evaluate(
    async ([selector, chosen]) => {
      const { violations } = await window.axe.run(selector ?? document, { ...chosen, resultTypes: ['violations'] });
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        where: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
      }));
    },
    [within, options] as const,
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
