import { useHashLocation } from 'wouter/use-hash-location';
import { FORMER_PAGES, PAGES, type PageName } from '../../src/contract/page-names.ts';

export const PAGE_WORDS: Record<PageName, string> = {
  requests: 'Requests',
  overview: 'Overview',
  activity: 'Activity',
  metrics: 'Metrics',
  insights: 'Insights',
  procedures: 'Procedures',
  access: 'Access',
  devices: 'Devices',
  settings: 'Settings',
};

/** A place in the dashboard: a page, optionally one thing on it, and the filters of a list. */
export type Place = { page: PageName; subject: string | undefined; filters: URLSearchParams };

/** Reads the part of an address after `#`, such as `/activity/act_01J…?status=denied`. Unknown addresses lead to the requests. */
export function placeOf(location: string): Place {
  const [path = '', query = ''] = location.split('?', 2);
  const [, name = '', subject] = path.split('/');
  const page = PAGES.find((one) => one === name) ?? FORMER_PAGES[name] ?? 'requests';
  return { page, subject: subject === '' ? undefined : subject, filters: new URLSearchParams(query) };
}

/** The address of a place, to be used as the `href` of a link. */
export function addressOf({ page, subject, filters }: Partial<Place> & Pick<Place, 'page'>): string {
  const query = filters?.toString() ?? '';
  return `#/${page}${subject === undefined ? '' : `/${subject}`}${query === '' ? '' : `?${query}`}`;
}

/** Names that the filters of a list may have in an address. */
const FILTER_NAMES = new Set([
  'requester',
  'type',
  'status',
  'risk',
  'device',
  'since',
  'until',
  'view',
  'text',
  'window',
  'level',
]);
/** `#/page` and optionally the id of an action, run or task, or the name of a metric. A sign-in code has the form of none. */
const OWN_PATH = /^\/([a-z]+)(\/[a-z0-9_]+(_[0-9A-Z]{26})?)?$/;

/** Whether the part of an address after `#` is one that the dashboard itself makes. */
export function isOwnAddress(location: string): boolean {
  const [path = '', query = ''] = location.split('?', 2);
  const name = OWN_PATH.exec(path)?.[1] ?? '';
  const isKnown = PAGES.some((page) => page === name) || Object.hasOwn(FORMER_PAGES, name);
  return isKnown && [...new URLSearchParams(query).keys()].every((key) => FILTER_NAMES.has(key));
}

/** The place in the dashboard that the address names. */
export function usePlace(): Place {
  const [location] = useHashLocation();
  return placeOf(location);
}

/** Goes to a place as a link would. `replace` keeps it out of the history of the browser. */
export function goTo(place: Partial<Place> & Pick<Place, 'page'>, { replace = false } = {}): void {
  const address = addressOf(place);
  if (replace) window.location.replace(address);
  else window.location.assign(address);
}
