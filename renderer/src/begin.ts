import { createPreferences, followTheme } from './preferences.ts';
import { askEarly } from './wire/early-answer.ts';
import { createKeyStore, createPageKeys } from './wire/page-keys.ts';

/**
 * The first script of the page, and a small one. It requests the risk and reads the preferences while the browser loads and
 * compiles the other scripts: for both, the browser has to ask another process.
 */
const keys = createPageKeys({ store: createKeyStore(window.indexedDB), origin: window.location.origin });
const fetch = keys.signing(window.fetch.bind(window));
const early = askEarly({
  fetch,
  hash: window.location.hash,
  hidden: document.hidden,
  getItem: (name) => window.sessionStorage.getItem(name),
  nowMs: () => performance.now(),
});
const page = import('./main.tsx');
const preferences = createPreferences(window.localStorage);
followTheme(preferences, document.documentElement);
void page.then(({ showPage }) => showPage({ early, preferences, keys, fetch }));
