import { createRoot } from 'react-dom/client';
import { closeSession, openSession } from '../../src/client/console-client.ts';
import type { Reply } from '../../src/client/reply.ts';
import type { Session } from '../../src/contract/session.ts';
import type { ShellBridge } from '../../src/contract/shell.ts';
import type { SHELL_BRIDGE } from '../../src/contract/shell-calls.ts';
import { Page } from './Page.tsx';
import type { PreferenceStore } from './preferences.ts';
import { cleanAddress } from './session/clean-address.ts';
import { createSession } from './session/session.ts';
import { type EarlyAnswer, earlyRisk, withEarlyAnswer } from './wire/early-answer.ts';

type Begun = { early: EarlyAnswer | undefined; preferences: PreferenceStore };

/** Shows the page. `early`: the answer that the first script asked for. Throws if `index.html` has no place for the page. */
export async function showPage({ early, preferences }: Begun): Promise<void> {
  const { risk, late } = await earlyRisk(early);
  const fetch = withEarlyAnswer(window.fetch.bind(window), late, () => performance.now());
  const app = window.handrailShell;
  const session = createSession({
    storage: window.sessionStorage,
    exchange: (code) => openSession(fetch, code),
    end: (key) => closeSession(fetch, key),
    openHere: app && (() => openSessionInApp(app)),
  });
  // Later on, a session that ended stays ended until the person signs in: they may have ended it on another page.
  if (session.get().state === 'signed out') void session.signInHere?.();
  cleanAddress(window);

  await documentRead();
  const root = document.getElementById('page');
  if (root === null) throw new Error('index.html has no element with the id "page"');
  createRoot(root).render(<Page fetch={fetch} session={session} preferences={preferences} risk={risk} />);
}

/** The first script does not wait for the rest of `index.html`. */
async function documentRead(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

declare global {
  interface Window {
    /** The calls to the Mac app around the page. A browser has none. */
    [SHELL_BRIDGE]?: ShellBridge;
  }
}

/** Opens a session for this window, without a code: the app hands the key over in memory. */
async function openSessionInApp(app: Pick<ShellBridge, 'signIn'>): Promise<Reply<Session>> {
  try {
    return { ok: true, value: await app.signIn({}) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: { code: 'internal_error', detail: `Handrail did not open a session: ${detail}` } };
  }
}
