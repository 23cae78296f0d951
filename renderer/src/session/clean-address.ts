type Place = { location: Pick<Location, 'hash'>; history: Pick<History, 'replaceState'> };

/** Takes whatever follows `#` out of the address: a code that someone put there must not stay in the address bar or the history. */
export function cleanAddress({ location, history }: Place): void {
  if (location.hash !== '') history.replaceState(null, '', '/');
}
