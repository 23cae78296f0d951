import type { AppRisk, ResolvedApp } from '../../src/contract/screen.ts';
import type { Done } from './driver.ts';

/** The answer to which app a name leads to, and which risks only the device can see. */
export function resolvedTo(app: Omit<ResolvedApp, 'risks'>, risks: readonly AppRisk[]): Done<ResolvedApp> {
  return {
    ok: true,
    details: `The name leads to ${app.appName}.`,
    effect: 'none',
    data: { ...app, risks: [...risks] },
  };
}
