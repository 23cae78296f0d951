import type { Console, RunningDaemon } from '../e2e/daemon.ts';

/** A code that signs in another page. */
export async function freshCode(daemon: RunningDaemon, { key }: Console): Promise<string> {
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  const { body } = await daemon.call<{ code: string }>('/api/console/session/code', { method: 'POST', headers });
  return body.code;
}
