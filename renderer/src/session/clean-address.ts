import { isOwnAddress } from '../pages.ts';

type Place = { location: Pick<Location, 'hash'>; history: Pick<History, 'replaceState'> };

/**
 * Removes everything after `#` from the address, unless it leads to one of our pages. Otherwise a sign-in code that was pasted
 * there would stay in the address bar and the history.
 */
export function cleanAddress({ location, history }: Place): void {
  if (location.hash !== '' && !isOwnAddress(location.hash.slice(1))) history.replaceState(null, '', '/');
}
