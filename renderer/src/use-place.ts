import { useHashLocation } from 'wouter/use-hash-location';
import { addressOf, type Place, placeOf } from './pages.ts';

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
