import axe from 'axe-core';
import type { Page } from 'playwright';

/** A rule of axe, and the elements that break it. */
type Fault = { id: string; where: { target: unknown; failureSummary: string | undefined }[] };

/** The faults of a page that keep somebody from using it: those that axe calls serious or critical. */
export async function seriousFaults(page: Page): Promise<Fault[]> {
  const faults = await everyFault(page);
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
export async function everyFault(page: Page, within?: string) {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    const { violations } = await window.axe.run(selector ?? document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }));
  }, within);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
