import { createRoot } from 'react-dom/client';
import type { Reply } from '../../src/client/call.ts';
import { closeSession, openSession } from '../../src/client/console-client.ts';
import type { Session } from '../../src/contract/session.ts';
import type { ShellBridge } from '../../src/contract/shell.ts';
import type { SHELL_BRIDGE } from '../../src/contract/shell-calls.ts';
import { Page } from './Page.tsx';
import type { PreferenceStore } from './preferences.ts';
import { cleanAddress, createSession } from './session/session.ts';
import { type EarlyAnswer, earlyRisk, withEarlyAnswer } from './wire/early-answer.ts';
import type { PageKeys } from './wire/page-keys.ts';

type Begun = {
  early: EarlyAnswer | undefined;
  preferences: PreferenceStore;
  keys: PageKeys;
  /** Signs the calls of a session. */
  fetch: typeof globalThis.fetch;
};

/** Shows the page. `early`: the answer that the first script asked for. Throws if `index.html` has no place for the page. */
export async function showPage({ early, preferences, keys, fetch: signed }: Begun): Promise<void> {
  const { risk, late } = await earlyRisk(early);
  const fetch = withEarlyAnswer(signed, late, () => performance.now());
  const app = window.handrailShell;
  const session = createSession({
    storage: window.sessionStorage,
    exchange: (code) => withKey(keys, (publicKey) => openSession(fetch, { code, publicKey })),
    end: (key) => closeSession(fetch, key),
    openHere: app && (() => withKey(keys, (publicKey) => openSessionInApp(app, publicKey))),
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

/** Opens a session that takes only calls of this page. */
async function withKey(keys: PageKeys, open: (publicKey: string) => Promise<Reply<Session>>): Promise<Reply<Session>> {
  const { publicKey, keep } = await keys.make();
  const answer = await open(publicKey);
  if (answer.ok) await keep(answer.value.key);
  return answer;
}

/** Opens a session for this window, without a code: the app hands the key over in memory. */
async function openSessionInApp(app: Pick<ShellBridge, 'signIn'>, publicKey: string): Promise<Reply<Session>> {
  try {
    return { ok: true, value: await app.signIn({ publicKey }) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: { code: 'internal_error', detail: `Handrail did not open a session: ${detail}` } };
  }
}
