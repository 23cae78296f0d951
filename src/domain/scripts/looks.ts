import { MAX_PATH_LENGTH } from '../../contract/files.ts';
import { lastingEffectAt } from '../../contract/lasting-places.ts';
import type { Notebook } from './finding.ts';
import { secretNamed } from './places.ts';

/** Looks at the paths that a script names. It takes the work off the budget; after the budget is used up, no look finds anything. */
export type Looks = {
  secret(path: string): string | undefined;
  lastingEffect(path: string): string | undefined;
};

export function createLooks({ spend }: Pick<Notebook, 'spend'>): Looks {
  const look = (path: string, at: (path: string) => string | undefined) => {
    const end = endOf(path);
    return spend(end.length) ? at(end) : undefined; // guard D4-2
  };
  return {
    secret: (path) => look(path, secretNamed),
    lastingEffect: (path) => look(path, lastingEffectAt),
  };
}

/** The end of a path that is longer than systems take. A script can shorten it while it runs, or open it from a deep folder. */
export function endOf(path: string): string {
  return path.slice(-MAX_PATH_LENGTH);
}
