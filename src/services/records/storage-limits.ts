import type { Health } from '../../contract/health.ts';
import type { Context } from '../context.ts';
import type { ArtifactKeeper } from './artifacts.ts';
import { createContentsQuota } from './contents-quota.ts';
import { createFormerVersionsQuota } from './former-versions-quota.ts';

/** The limits in bytes of everything that is kept for a day: results, artifacts, and former versions of files. */
export function createStorageLimits(context: Context, { expire }: Pick<ArtifactKeeper, 'expire'>) {
  const contents = createContentsQuota(context, { removeArtifacts: expire });
  const formerVersions = createFormerVersionsQuota(context);
  return {
    /** Resolves when no more than the limits is kept. */
    async enforce(): Promise<void> {
      await contents.enforce();
      await formerVersions.enforce();
    },
    storage: (): Health['storage'] => ({ ...contents.storage(), formerVersions: formerVersions.storage() }),
    end(): void {
      contents.end();
      formerVersions.end();
    },
  };
}
