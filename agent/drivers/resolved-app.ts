import type { ResolvedApp } from '../../src/contract/screen.ts';
import type { Done } from './driver.ts';

/** The answer to which app a name leads to. */
export function resolvedTo(data: ResolvedApp): Done<ResolvedApp> {
  return { ok: true, details: `The name leads to ${data.appName}.`, effect: 'none', data };
}
