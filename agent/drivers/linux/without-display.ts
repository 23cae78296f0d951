import type { SideEffect } from '../../../src/contract/action.ts';
import type { Failed } from '../outcome.ts';
import type { NoDisplay } from './x11.ts';

/** The failure of an action that needs windows on a machine without a usable display. */
export function withoutDisplay({ kind, message, fix }: NoDisplay, sideEffect: SideEffect = 'none'): Failed {
  const code = kind === 'wayland' ? 'not_supported' : 'display_unavailable';
  return { ok: false, code, message, fix, sideEffect };
}
