import { askEarly } from './wire/early-answer.ts';

/** The first and small script: asks for the risk while the browser loads the scripts of the page. */
const early = askEarly({
  fetch: window.fetch.bind(window),
  hash: window.location.hash,
  hidden: document.hidden,
  getItem: (name) => window.sessionStorage.getItem(name),
  nowMs: () => performance.now(),
});
void import('./main.tsx').then(({ showPage }) => showPage(early));
