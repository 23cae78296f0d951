import type { ResolvedApp } from '../../src/contract/screen.ts';
import type { Done } from './outcome.ts';

/** The answer to which app a name leads to. */
export function resolvedTo(app: ResolvedApp): Done<ResolvedApp> {
  return { ok: true, details: `The name leads to ${app.appName}.`, effect: 'none', data: app };
}
