/** Whether an address is of our own page. `base` is the daemon's address, such as `http://127.0.0.1:3001/`. */
export function isOwnPage(address: string, base: string): boolean {
  return URL.canParse(address) && new URL(address).origin === new URL(base).origin;
}

/** Whether a page may go to an address. Before the daemon's address is known it may go nowhere. */
export function mayGoTo(address: string, base: string | undefined): boolean {
  return base !== undefined && isOwnPage(address, base);
}

/** Where a call to the shell came from. */
export type Caller = {
  /** The address of the frame; undefined when the frame has gone. */
  address: string | undefined;
  /** A frame inside of a page is not the page. */
  isTop: boolean;
  isOurWindow: boolean;
};

/** Whether a call came from our page itself, in a window of ours. */
export function isOwnCaller({ address, isTop, isOurWindow }: Caller, base: string): boolean {
  return isOurWindow && isTop && address !== undefined && isOwnPage(address, base);
}

/** A permission that a page asks electron for. `address`: of the frame that asks; undefined when it has gone. */
export type PermissionAsk = { permission: string; address: string | undefined; isTop: boolean };

/** Our own page may write to the clipboard, as its button "Copy the key" does. Nothing else is granted, reading included. */
export function mayHave({ permission, address, isTop }: PermissionAsk, base: string | undefined): boolean {
  return permission === 'clipboard-sanitized-write' && isTop && address !== undefined && mayGoTo(address, base);
}
