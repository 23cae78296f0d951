import { encodeTime } from 'ulid';
import type { Trend } from '../../contract/guardian.ts';
import { DAY_MS, type Facts, HOUR_MS, LOOKED_AT } from '../../guardian/insights/facts.ts';
import type { SlowOnset } from '../../guardian/slow-onset.ts';
import type { AgentPort } from '../agent-port.ts';
import { missingPermissions } from '../agent-watch.ts';
import type { Context } from '../context.ts';
import type { createWindows } from './windows.ts';

type Parts = {
  windows: ReturnType<typeof createWindows>;
  port: AgentPort;
  trends(): Trend[];
  slowOnsets(): readonly SlowOnset[];
};

/** Everything the rules look at, as it is now. */
export function createFacts({ store, clock }: Context, { windows, port, ...parts }: Parts): () => Facts {
  return () => {
    const nowMs = clock.nowMs();
    const since = (prefix: string) => `${prefix}_${encodeTime(nowMs - DAY_MS, 10)}`;
    const { evidence } = store;
    return {
      nowMs,
      hour: windows.recorded(windows.spanOf({ lengthMs: HOUR_MS })),
      day: windows.recorded(windows.spanOf({ lengthMs: DAY_MS })),
      requests: evidence.requests({ afterId: since('act'), limit: LOOKED_AT.requests }),
      prompts: evidence.prompts({ afterId: since('cnf'), limit: LOOKED_AT.prompts }),
      firstHighRisk: evidence.firstHighRisk({ afterId: since('act'), limit: LOOKED_AT.firstHighRisk }),
      newRequesters: evidence.newUsers({ afterMs: nowMs - DAY_MS, limit: LOOKED_AT.newRequesters }),
      grants: store.grants.live(nowMs).slice(0, LOOKED_AT.grants),
      missingPermissions: missingPermissions(port).map((name) => ({ name, platform: port.agent()?.platform ?? '' })),
      trends: parts.trends(),
      slowOnsets: parts.slowOnsets(),
    };
  };
}
