/** How callers may name this server, as raw `Host` values. */
export type OwnAddress = { hosts: readonly string[] };

export const LOOPBACK = '127.0.0.1';

export function ownAddress(port: number): OwnAddress {
  return { hosts: [`${LOOPBACK}:${port}`, `localhost:${port}`] };
}
