import { createPreferences, followTheme } from './preferences.ts';
import { askEarly } from './wire/early-answer.ts';

/**
 * The first and small script: asks for the risk and reads the preferences, for both of which the browser asks other processes, while
 * it loads and compiles the scripts of the page.
 */
const early = askEarly({
  fetch: window.fetch.bind(window),
  hash: window.location.hash,
  hidden: document.hidden,
  getItem: (name) => window.sessionStorage.getItem(name),
  nowMs: () => performance.now(),
});
const page = import('./main.tsx');
const preferences = createPreferences(window.localStorage);
followTheme(preferences, document.documentElement);
void page.then(({ showPage }) => showPage({ early, preferences }));
