/** The pages of the dashboard, in the order of the navigation. Each has an address of its own, such as `#/overview`. */
export const PAGES = [
  'requests',
  'overview',
  'activity',
  'metrics',
  'insights',
  'procedures',
  'access',
  'devices',
  'settings',
] as const;

export type PageName = (typeof PAGES)[number];

/** Pages of earlier versions and the pages that show their content now. */
export const FORMER_PAGES: Readonly<Record<string, PageName>> = { grants: 'access', people: 'access' };
