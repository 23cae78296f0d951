/** How this server may be named by those who call it: raw `Host` values and serialized origins. */
export type OwnAddress = { hosts: readonly string[]; origins: readonly string[] };

export const LOOPBACK = '127.0.0.1';

export function ownAddress(port: number): OwnAddress {
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  return { hosts, origins: hosts.map((host) => `http://${host}`) };
}
