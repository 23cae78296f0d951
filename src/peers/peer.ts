/** One end of a TCP connection: a plain IPv4 address, and a port. */
export type End = { address: string; port: number };

/** A connection that this daemon accepted, as its two ends see it. */
export type Connection = { caller: End; daemon: End };

/**
 * The OS user of the process at the caller's end. `inode` is its socket, from which the process can be found (Linux only).
 * `gone`: the caller closed its end before it was looked up, so its user cannot be found. `unknown`: this system does not
 * tell.
 */
export type Peer =
  | { kind: 'user'; uid: number; inode?: number }
  | { kind: 'gone' }
  | { kind: 'unknown'; because: string };

/** Finds out who called. Does not throw: a failure is `unknown`. */
export type FindPeer = (connection: Connection) => Promise<Peer>;
