/**
 * The calls that a page of ours can make to the desktop shell around it. The preload script has this file without the schemas: it
 * only passes calls on, and the shell checks them.
 */
export const SHELL_CALL_NAMES = ['signIn', 'touchId', 'permissions', 'openPane', 'relaunch'] as const;
export type ShellCallName = (typeof SHELL_CALL_NAMES)[number];

/** The name under which the preload script puts the calls into the window of the page. */
export const SHELL_BRIDGE = 'handrailShell';

export function channelOf(name: ShellCallName): string {
  return `handrail:${name}`;
}
