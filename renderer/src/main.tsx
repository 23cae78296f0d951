import { createRoot } from 'react-dom/client';
import { Page } from './Page.tsx';
import { cleanAddress } from './session/clean-address.ts';
import { createSession } from './session/session.ts';
import { closeSession, openSession } from './wire/console-client.ts';

const fetch = window.fetch.bind(window);
const session = createSession({
  storage: window.sessionStorage,
  exchange: (code) => openSession(fetch, code),
  end: (key) => closeSession(fetch, key),
});
cleanAddress(window);

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no element with the id "page"');
createRoot(root).render(<Page session={session} />);
