import { createObservable, type Observable } from './observable.ts';

type Watched = Pick<Window, 'addEventListener' | 'document'>;

/** Whether a person can see the page and their keys go to it. */
export function createAttention(window: Watched): Observable<boolean> {
  const { document } = window;
  const isAttended = () => document.visibilityState === 'visible' && document.hasFocus();
  const attention = createObservable(isAttended());
  const look = () => attention.set(isAttended());
  window.addEventListener('focus', look);
  window.addEventListener('blur', () => attention.set(false));
  document.addEventListener('visibilitychange', look);
  return attention;
}
