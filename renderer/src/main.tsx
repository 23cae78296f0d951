import { createRoot } from 'react-dom/client';
import { Page } from './Page.tsx';
import { createSession } from './session/session.ts';
import { takeSignInCode } from './session/sign-in-code.ts';
import { closeSession, openSession } from './wire/console-client.ts';

const fetch = window.fetch.bind(window);
const session = createSession({
  storage: window.sessionStorage,
  exchange: (code) => openSession(fetch, code),
  end: (key) => closeSession(fetch, key),
});
const code = takeSignInCode(window);
if (code !== '') void session.signIn(code);

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no element with the id "page"');
createRoot(root).render(<Page session={session} />);
