import { hasNameOfBrowser } from './sites.ts';

/**
 * Whether a window shows the dashboard in a browser, by its title: that is the page's, with the browser's own name behind it. A page in a tab
 * behind another one is not in the title.
 */
export function showsDashboard(title: string, names: readonly string[]): boolean {
  return hasTitleOfDashboard(title) && [title, ...names].some(hasNameOfBrowser);
}

export function hasTitleOfDashboard(title: string): boolean {
  return TITLE.test(title);
}

const TITLE = /^(?:(?:\(\d+\) )?Handrail(?: [-–—|·] .*)?|Sign in – Handrail(?: [-–—|] .*)?)$/u;
