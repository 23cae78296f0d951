import { hasNameOfBrowser } from './web-address.ts';

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

/** A program that holds a signed-in dashboard. */
export type DashboardProgram = {
  /** The process at the connection and its parents of the same program, up to the one that has the windows. */
  pids: readonly number[];
  /** The names of the app. */
  names: readonly string[];
  /** The system does not say whose process it is: every process of an app of these names counts. */
  isByName?: boolean;
  /** The window of Handrail's own profile. The same browser with another profile is another process. */
  isOwnWindow?: boolean;
};
