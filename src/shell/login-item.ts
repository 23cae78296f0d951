/** Whether the system opens the app at login. `approve`: it will, once the person approves that in System Settings. */
export type LoginItem = 'on' | 'off' | 'approve' | 'unavailable';

/** The login item as macOS has it. A request of ours may wait for the person, so that it is read back and not remembered. */
export function loginItemOf({ status, openAtLogin }: { status: string; openAtLogin: boolean }): LoginItem {
  if (status === 'requires-approval') return 'approve';
  return openAtLogin ? 'on' : 'off';
}

/** Whether the switch in the menu asks macOS to open the app at login. While the request waits for approval it is made again. */
export function isWantedAfterFlip(now: LoginItem): boolean {
  return now !== 'on';
}
