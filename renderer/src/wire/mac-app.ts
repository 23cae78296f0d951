import type { Reply } from '../../../src/client/reply.ts';
import type { Session } from '../../../src/contract/session.ts';
import type { ShellBridge } from '../../../src/contract/shell.ts';
import type { SHELL_BRIDGE } from '../../../src/contract/shell-calls.ts';

declare global {
  interface Window {
    /** The calls to the Mac app around the page. A browser has none. */
    [SHELL_BRIDGE]?: ShellBridge;
  }
}

/** Opens a session for this window, without a code: the app hands the key over in memory. */
export async function openSessionInApp(app: Pick<ShellBridge, 'signIn'>): Promise<Reply<Session>> {
  try {
    return { ok: true, value: await app.signIn({}) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: { code: 'internal_error', detail: `Handrail did not open a session: ${detail}` } };
  }
}
