import type { SideEffect } from '../../../src/contract/action.ts';
import type { Failed } from '../driver.ts';
import type { NoDisplay } from './x11.ts';

/** What an action that needs windows answers where there are none to be had. */
export function withoutDisplay({ kind, message, fix }: NoDisplay, sideEffect: SideEffect = 'none'): Failed {
  const code = kind === 'wayland' ? 'not_supported' : 'display_unavailable';
  return { ok: false, code, message, fix, sideEffect };
}
